/** `npm run schemas -- FOLDER`: what editors need to complete and check a catalog's files. */
import { resolve } from "node:path";
import { catalogLanguage } from "@voice/local-voice/rules/catalog-language";
import { loadCatalog } from "@voice/shared/catalog/load-catalog";
import { CatalogError } from "@voice/shared/catalog/problems";
import { catalogFolders } from "@voice/shared/catalog/load-service-catalog";
import { readCatalogFiles } from "@voice/shared/catalog/read-catalog";
import { ConfigurationError } from "@voice/shared/config/configuration-error";
import { systemClock } from "@voice/shared/platform/clock";
import { loadSettings } from "@voice/shared/config/load";
import { silentLogger } from "@voice/shared/platform/logger";
import { loadTools } from "@voice/shared/tools/load-tools";
import { readToolArguments } from "../command-line/tool-arguments.ts";
import { writeSchemas } from "./write-schemas.ts";

const help = `Puts JSON Schemas beside a catalog's files, for editors that know YAML (in VS Code, with Red Hat's YAML extension).

  npm run schemas -- my-catalog      my-catalog/.schemas; those of TOOLS_DIR and of tools/ are offered among the tools

Run it again after an update of the service. The first line of a file names its schema:

  agents/<name>/agent.yaml           # yaml-language-server: $schema=../../.schemas/agent.json
  agents/<name>/rules.yaml           # yaml-language-server: $schema=../../.schemas/rules.json
  scenarios/<name>.yaml              # yaml-language-server: $schema=../.schemas/scenario.json
  scenarios/<name>.dialogue.yaml     # yaml-language-server: $schema=../.schemas/dialogue.json
  routes.yaml                        # yaml-language-server: $schema=.schemas/routes.json
  tools/<name>.yaml                  # yaml-language-server: $schema=../.schemas/tool.json`;

const exitUsage = 2;

async function main(): Promise<number> {
  const { positionals } = readToolArguments({ name: "npm run schemas", help, allowPositionals: true });
  const [folder, ...more] = positionals;
  if (folder === undefined || more.length > 0) {
    console.error(help);
    return exitUsage;
  }
  await readCatalogFiles(resolve(folder)); // says so where there is no catalog
  for (const file of await writeSchemas(resolve(folder), await toolsOf(resolve(folder)))) console.log(file);
  return 0;
}

/** Schemas help to find mistakes in a catalog. While it has some, only the tools in code are known. */
async function toolsOf(folder: string): Promise<readonly string[]> {
  const { DEMO_ENABLED, TOOLS_DIR } = process.env;
  const settings = { ...loadSettings({ DEMO_ENABLED, TOOLS_DIR }), catalogDir: folder };
  const { tools } = await loadTools(settings, { clock: systemClock, logger: silentLogger });
  try {
    const catalog = await loadCatalog(
      catalogFolders(settings),
      { tools, mcpServers: [] },
      { language: catalogLanguage },
    );
    return [...tools.keys(), ...catalog.httpTools.keys()];
  } catch (error) {
    if (error instanceof CatalogError) return [...tools.keys()];
    throw error;
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof CatalogError) && !(error instanceof ConfigurationError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

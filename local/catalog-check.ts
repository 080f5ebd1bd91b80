/** `npm run catalog:check [-- folder …]`: checks a catalog, and draws the handoffs. */
import { resolve } from "node:path";
import { describeScenario } from "@voice/shared/catalog/handoff-graph";
import { withCatalogTools } from "@voice/shared/catalog/known-tools";
import { catalogLanguage } from "@voice/local-voice/rules/catalog-language";
import { loadCatalog } from "@voice/shared/catalog/load-catalog";
import { catalogFolders } from "@voice/shared/catalog/load-service-catalog";
import { loadSettings } from "@voice/shared/config/load";
import { CatalogError, problemLine } from "@voice/shared/catalog/problems";
import { demoCatalogDirs, demoTools } from "@voice/shared/demo/demo-parts";
import type { Kind } from "@voice/shared/config/kinds";
import { mcpServerList } from "@voice/shared/config/mcp-servers";
import { toolSecrets } from "@voice/shared/config/tool-secrets";
import { ConfigurationError } from "@voice/shared/config/configuration-error";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { loadTools } from "@voice/shared/tools/load-tools";
import type { Catalog } from "@voice/shared/catalog/catalog";
import { readPassages } from "@voice/streaming-host/knowledge/knowledge-base";
import { z } from "zod";
import { ownFolder } from "./command-line/own-folder.ts";
import { readToolArguments } from "./command-line/tool-arguments.ts";
import { askToolServers } from "./tool-servers.ts";
import type { Dialogue } from "./dialogues/dialogue.ts";
import { customersOf } from "./dialogues/dialogue-customers.ts";
import { readDialogues } from "./dialogues/read-dialogues.ts";
import { unusedParts } from "./unused-parts.ts";

const help = `Checks the agents, scenarios, tools, documents and dialogues of a folder, and draws which agent hands over to which.

  npm run catalog:check                    those of CATALOG_DIR, or of the demonstration
  npm run catalog:check -- my-catalog      those of this folder

  npm run catalog:check -- --tool-schemas tools.json my-catalog
                                           keeps what the tools of MCP_SERVERS take, for when a server is away

CATALOG_DIR, TOOLS_DIR, MCP_SERVERS and TOOL_SECRETS come from the environment, not from local.settings.json. Tool servers are asked what their tools take.
The exit code is 1 where something is wrong: each mistake is told with its file, its key and its line.`;

const exitProblems = 1;
const exitUsage = 2;

async function main(): Promise<number> {
  const { values, positionals } = readToolArguments({
    name: "npm run catalog:check",
    help,
    options: { "tool-schemas": z.string().optional() },
    allowPositionals: true,
  });
  const configured = ownFolder("CATALOG_DIR", process.env);
  const own = positionals.length === 0 && configured !== undefined ? [configured] : positionals;
  const servers = readSetting("MCP_SERVERS", mcpServerList);
  const secrets = readSetting("TOOL_SECRETS", toolSecrets);
  const asked = await askToolServers(servers, secrets, values["tool-schemas"]);
  for (const note of asked.notes) console.error(note);
  const { DEMO_ENABLED, DEMO_CUSTOMERS, TOOLS_DIR } = process.env;
  const settings = { ...loadSettings({ DEMO_ENABLED, DEMO_CUSTOMERS, TOOLS_DIR }), catalogDir: own[0] };
  const { tools, customers } = await loadTools(settings, { clock: systemClock, logger: silentLogger });
  // Agents may list tools of servers that only run elsewhere.
  const known = { tools: new Map([...tools, ...asked.tools]), mcpServers: asked.unknown };
  const builtIn = await loadCatalog(own.length === 0 ? demoCatalogDirs : demoCatalogDirs.slice(0, 1), known, {
    language: catalogLanguage,
  });
  const folders = [...catalogFolders(settings), ...own.slice(1).map((folder) => resolve(folder))];
  const catalog = await loadCatalog(folders, known, { language: catalogLanguage });
  const unread = await unreadDocuments(catalog);
  const { dialogues, problems } = await dialoguesOf(
    folders,
    catalog,
    withCatalogTools(known, catalog),
    customersOf(settings, customers).kind,
  );
  for (const scenario of catalog.scenarios.values()) console.log(`${describeScenario(scenario).join("\n")}\n`);
  problems.push(...unread);
  problems.push(
    ...unusedParts(
      catalog,
      builtIn,
      [...tools.keys()].filter((tool) => !demoTools.has(tool)),
    ),
  );
  for (const problem of problems) console.error(problem);
  const counts = [
    counted(catalog.agents.size, "agent"),
    counted(catalog.scenarios.size, "scenario"),
    counted(dialogues.length, "dialogue"),
    counted(problems.length, "problem"),
  ];
  console.log(counts.join(", "));
  return problems.length === 0 ? 0 : exitProblems;
}

/** The host reads documents when it starts; here it is done to find those that it could not read. */
async function unreadDocuments({ knowledge }: Catalog): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const [name, source] of knowledge) {
    if (source.kind !== "documents") continue;
    try {
      const passages = await readPassages(name, source);
      const [documents, found] = [source.documents.length, passages.length];
      console.log(`knowledge/${name}: ${counted(documents, "document")}, ${counted(found, "passage")}`);
    } catch (error) {
      if (!(error instanceof CatalogError)) throw error;
      problems.push(...error.problems.map(problemLine));
    }
  }
  return problems;
}

function counted(count: number, what: string): string {
  return count === 1 ? `1 ${what}` : `${count} ${what}s`;
}

/** Mistakes in dialogues must not hide the list of unused parts. */
async function dialoguesOf(...where: Parameters<typeof readDialogues>): Promise<{
  readonly dialogues: readonly Dialogue[];
  readonly problems: string[];
}> {
  try {
    return { dialogues: await readDialogues(...where), problems: [] };
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    return { dialogues: [], problems: error.problems.map(problemLine) };
  }
}

/** Rejects with a line that says what it must be: never with its value, which may be a secret. */
function readSetting<T>(name: string, { schema }: Kind<T>): T {
  const parsed = schema.safeParse(process.env[name] ?? "");
  if (parsed.success) return parsed.data;
  throw new ConfigurationError(parsed.error.issues.map(({ message }) => `${name} ${message}`));
}

try {
  process.exitCode = await main();
} catch (error) {
  if (error instanceof CatalogError) {
    const lines = error.problems.map(problemLine);
    for (const line of lines) console.error(line);
    const unset = ["TOOLS_DIR", "MCP_SERVERS"].filter((name) => (process.env[name] ?? "") === "");
    // Most often they are set where the service runs, and not in the terminal where the check does.
    if (unset.length > 0 && lines.some((line) => line.includes("unknown tool")))
      console.error(`${unset.join(" and ")} not set here: the tools that come from there are not known`);
    console.error(counted(lines.length, "problem"));
    process.exitCode = exitProblems;
  } else if (error instanceof ConfigurationError) {
    console.error(error.problems.join("\n"));
    process.exitCode = exitProblems;
  } else if (error instanceof TypeError) {
    console.error(`${error.message}\n\n${help}`);
    process.exitCode = exitUsage;
  } else throw error;
}

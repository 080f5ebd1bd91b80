/** `npm run emulators`: the emulated cloud services alone, and the settings that point to them. */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { catalogLanguage } from "@voice/local-voice/rules/catalog-language";
import { loadCatalog } from "@voice/shared/catalog/load-catalog";
import { builtInCatalogDir } from "@voice/shared/catalog/read-catalog";
import { mcpServerList } from "@voice/shared/config/mcp-servers";
import { readEnvironment } from "@voice/shared/config/read-environment";
import { systemClock } from "@voice/shared/platform/clock";
import { createLogger, silentLogger } from "@voice/shared/platform/logger";
import { loadTools } from "@voice/shared/tools/load-tools";
import { serverNames } from "./openai/server-manners.ts";
import { startEmulators } from "./start-emulators.ts";

const help = `The emulated cloud services alone (Speech, OpenAI, Voice Live, identity), and the settings that point to them.

  npm run emulators -- --port 9100 my-catalog

  --port PORT             the first of four free ports in a row (any free ports)
  --server NAME           whose manners the server of OpenAI's protocol has: ${serverNames.join(", ")} (openai)
  FOLDER …                catalogs besides the one that is built in
`;

function readArguments() {
  try {
    return parseArgs({
      options: { port: { type: "string" }, server: { type: "string" }, help: { type: "boolean", short: "h" } },
      allowPositionals: true,
    });
  } catch (error) {
    return exitWith(error instanceof Error ? error.message : String(error));
  }
}

function exitWith(mistake: string): never {
  process.stderr.write(`emulators: ${mistake}\n\n${help}`);
  process.exit(2);
}

const { values, positionals } = readArguments();
if (values.help === true) {
  process.stdout.write(help);
  process.exit(0);
}
const firstPort = values.port === undefined ? undefined : Number(values.port);
if (firstPort !== undefined && !(Number.isInteger(firstPort) && firstPort > 0 && firstPort < 65_532))
  exitWith("--port takes the first of four free ports in a row");

const server = serverNames.find((name) => name === (values.server ?? "openai"));
if (server === undefined) exitWith(`--server takes one of ${serverNames.join(", ")}`);

const folders = [builtInCatalogDir(), ...positionals.map((folder) => resolve(folder))];
const { TOOLS_DIR: toolsDir, MCP_SERVERS: servers = "" } = readEnvironment();
const { tools } = await loadTools({ toolsDir }, { clock: systemClock, logger: silentLogger });
const mcpServers = mcpServerList.schema.parse(servers).map(({ name }) => name);
const catalog = await loadCatalog(folders, { tools, mcpServers }, { language: catalogLanguage });
const emulators = await startEmulators({
  catalog,
  firstPort,
  server,
  logger: createLogger({ level: "warn", name: "emulators" }),
});

const linesOf = (settings: Readonly<Record<string, string>>): string =>
  Object.entries(settings)
    .map(([name, value]) => `${name}=${value}`)
    .join("\n");
process.stdout.write(
  `\nThe emulated cloud listens. Settings for the service:\n\n${linesOf(emulators.settings)}\n\n` +
    `Or, as a server of OpenAI's protocol alone:\n\n${linesOf(emulators.openAiSettings)}\n\nCtrl-C ends it.\n`,
);

const stop = (): void => {
  void emulators.close();
};
process.once("SIGINT", stop);
process.once("SIGTERM", stop);

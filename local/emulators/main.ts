/** `npm run emulators`: the emulated cloud services alone, and the settings that point to them. */
import { resolve } from "node:path";
import { catalogLanguage } from "@voice/local-voice/rules/catalog-language";
import { loadCatalog } from "@voice/shared/catalog/load-catalog";
import { catalogFolders } from "@voice/shared/catalog/load-service-catalog";
import { loadSettings } from "@voice/shared/config/load";
import { mcpServerList } from "@voice/shared/config/mcp-servers";
import { readEnvironment } from "@voice/shared/config/read-environment";
import { systemClock } from "@voice/shared/platform/clock";
import { createLogger, silentLogger } from "@voice/shared/platform/logger";
import { loadTools } from "@voice/shared/tools/load-tools";
import { z } from "zod";
import { wholeNumber } from "../command-line/option-kinds.ts";
import { readToolArguments } from "../command-line/tool-arguments.ts";
import { serverNames } from "./openai/server-manners.ts";
import { speechServerNames } from "./openai/speech-manners.ts";
import { startEmulators } from "./start-emulators.ts";

const help = `The emulated cloud services alone (Speech, OpenAI, Voice Live, identity), and the settings that point to them.

  npm run emulators -- --port 9100 my-catalog

  --port PORT             the first of four free ports in a row (any free ports)
  --server NAME           whose manners the server of OpenAI's protocol has: ${serverNames.join(", ")} (openai)
  --speech NAME           whose manners it has where it speaks and hears: ${speechServerNames.join(", ")} (openai)
  FOLDER …                catalogs besides the one that is built in`;

const tool = {
  name: "npm run emulators",
  help,
  options: {
    // Four free ports in a row.
    port: wholeNumber(1, 65_531).optional(),
    server: z.enum(serverNames, `expects one of ${serverNames.join(", ")}`).default("openai"),
    speech: z.enum(speechServerNames, `expects one of ${speechServerNames.join(", ")}`).default("openai"),
  },
  allowPositionals: true,
};
const {
  values: { port: firstPort, server, speech: speechServer },
  positionals,
} = readToolArguments(tool);

const [own, ...others] = positionals.map((folder) => resolve(folder));
const { DEMO_ENABLED, TOOLS_DIR, MCP_SERVERS: servers = "" } = readEnvironment();
const settings = { ...loadSettings({ DEMO_ENABLED, TOOLS_DIR }), catalogDir: own };
const { tools } = await loadTools(settings, { clock: systemClock, logger: silentLogger });
const mcpServers = mcpServerList.schema.parse(servers).map(({ name }) => name);
const catalog = await loadCatalog(
  [...catalogFolders(settings), ...others],
  { tools, mcpServers },
  { language: catalogLanguage },
);
const emulators = await startEmulators({
  catalog,
  firstPort,
  server,
  speechServer,
  logger: createLogger({ level: "warn", name: "emulators" }),
});

const linesOf = (settings: Readonly<Record<string, string>>): string =>
  Object.entries(settings)
    .map(([name, value]) => `${name}=${value}`)
    .join("\n");
process.stdout.write(
  `\nThe emulated cloud listens. Settings for the service:\n\n${linesOf(emulators.settings)}\n\n` +
    `Or, as a server of OpenAI's protocol alone:\n\n${linesOf(emulators.openAiSettings)}\n\n` +
    "With ENABLE_AUTH_VALIDATION=true beside the first settings, people sign in to the console by choosing who they are,\n" +
    `and this prints the token (access_token) of an application:\n\ncurl -s ${emulators.tokenRequest.url} -d '${emulators.tokenRequest.form}'\n\nCtrl-C ends it.\n`,
);

const stop = (): void => {
  void emulators.close();
};
process.once("SIGINT", stop);
process.once("SIGTERM", stop);

/** `npm run emulators [-- --port 9100] [folder …]`: the emulated cloud services alone, and the settings that point to them. */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { loadCatalog } from "@voice/shared/catalog/load-catalog";
import { builtInCatalogDir } from "@voice/shared/catalog/read-catalog";
import { createLogger } from "@voice/shared/platform/logger";
import { builtInTools } from "@voice/shared/tools/built-in-tools";
import { startEmulators } from "./start-emulators.ts";

const { values, positionals } = parseArgs({ options: { port: { type: "string" } }, allowPositionals: true });
const firstPort = values.port === undefined ? undefined : Number(values.port);
if (firstPort !== undefined && !(Number.isInteger(firstPort) && firstPort > 0 && firstPort < 65_532)) {
  process.stderr.write("--port takes the first of four free ports in a row\n");
  process.exit(2);
}

const folders = [builtInCatalogDir(), ...positionals.map((folder) => resolve(folder))];
const catalog = await loadCatalog(folders, { tools: builtInTools, mcpServers: [] });
const emulators = await startEmulators({
  catalog,
  firstPort,
  logger: createLogger({ level: "warn", name: "emulators" }),
});

const lines = Object.entries(emulators.settings).map(([name, value]) => `${name}=${value}`);
process.stdout.write(
  `\nThe emulated cloud listens. Settings for the service:\n\n${lines.join("\n")}\n\nCtrl-C ends it.\n`,
);

const stop = (): void => {
  void emulators.close();
};
process.once("SIGINT", stop);
process.once("SIGTERM", stop);

/** The streaming host as a process of its own: settings, Redis, catalog, one HTTP server for probes and upgrades. */
import { once } from "node:events";
import { createServer } from "node:http";
import { agentDefaults } from "@voice/shared/catalog/agent-defaults";
import { builtInCatalogDir } from "@voice/shared/catalog/read-catalog";
import { loadCatalog } from "@voice/shared/catalog/load-catalog";
import { explainStartFailure } from "@voice/shared/config/explain-start-failure";
import { identityOf, loadConfiguration } from "@voice/shared/config/load-configuration";
import { systemClock } from "@voice/shared/platform/clock";
import { createLogger } from "@voice/shared/platform/logger";
import { createRedisState } from "@voice/shared/state/redis/create-redis-state";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { builtInTools } from "@voice/shared/tools/built-in-tools";
import { composeHost } from "./compose.ts";
import { readEnvironment } from "./config.ts";
import { answerProbe } from "./server/probes.ts";

async function start(): Promise<void> {
  const clock = systemClock;
  const configuration = await loadConfiguration({
    environment: readEnvironment(),
    name: "streaming-host",
    clock,
    loadCloud: () => import("@voice/shared/config/cloud"),
  });
  const settings = configuration.settings();
  const identity = identityOf(settings, () => import("@voice/shared/config/cloud"));
  const logger = createLogger({ level: settings.logLevel, name: "streaming-host" });
  const mcpServers = settings.mcpServers.map(({ name }) => name);
  const catalogDirs = [builtInCatalogDir(), ...(settings.catalogDir === undefined ? [] : [settings.catalogDir])];
  const catalog = await loadCatalog(catalogDirs, { tools: builtInTools, mcpServers }, agentDefaults(settings));
  const state =
    settings.cacheHost === undefined
      ? createMemoryState({ clock, logger })
      : await createRedisState({ settings, clock, logger, credential: identity });
  const composed = await composeHost({ settings, identity, state, catalog, tools: builtInTools, logger, clock });

  const server = createServer((request, response) => answerProbe(request, response, composed.host));
  server.on("upgrade", (request, socket, head) => {
    if (!composed.host.handleUpgrade(request, socket, head))
      socket.end("HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
  });
  server.listen(settings.port, settings.host);
  await once(server, "listening");
  logger.info({ host: settings.host, port: settings.port, state: state.kind }, "streaming host is listening");

  async function stop(): Promise<void> {
    await composed.close(settings.drainTimeoutMs);
    server.close();
    server.closeAllConnections();
    await state.close();
  }
  process.once("SIGINT", () => void stop());
  process.once("SIGTERM", () => void stop());
}

start().catch((error: unknown) => {
  process.stderr.write(`${explainStartFailure(error, "PORT=8081 npm run start:host")}\n`);
  process.exit(1);
});

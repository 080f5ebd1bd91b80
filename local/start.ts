/**
 * `npm start`: the whole product in one process on one origin. The functions app is served by the local functions host,
 * the streaming host takes the WebSockets of the same port, and both share one state.
 */
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { CatalogError, problemLine } from "@voice/shared/catalog/problems";
import { loadCatalog } from "@voice/shared/catalog/load-catalog";
import { builtInCatalogDir } from "@voice/shared/catalog/read-catalog";
import { ConfigurationError } from "@voice/shared/config/configuration-error";
import { createEnvironmentConfiguration } from "@voice/shared/config/configuration-provider";
import { loadSettings } from "@voice/shared/config/load";
import { describeParts } from "@voice/shared/config/parts";
import { systemClock } from "@voice/shared/platform/clock";
import { createLogger } from "@voice/shared/platform/logger";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { builtInTools } from "@voice/shared/tools/built-in-tools";
import { composeHost } from "@voice/streaming-host/compose";
import { provideDependencies } from "../functions/src/compose.ts";
import { loadFunctionsApp } from "./functions-host/functions-app.ts";
import { createFunctionsRequestListener } from "./functions-host/request-listener.ts";
import { startScreen } from "./start-screen.ts";

/** Ctrl-C: conversations get this long to say goodbye. */
const drainMs = 1200;
/** Whatever still holds the process then is cut. */
const exitDeadlineMs = 1900;

async function start(): Promise<void> {
  const startedAtMs = performance.now();
  const settings = loadSettings(process.env);
  // The start screen is what a newcomer should see; the log speaks up when something is wrong, or when asked to.
  const level = process.env["LOG_LEVEL"] === undefined ? "warn" : settings.logLevel;
  const logger = createLogger({ level, name: "voice" });
  const clock = systemClock;
  const catalogDirs = settings.catalogDir === undefined ? [] : [settings.catalogDir];
  const mcpServers = settings.mcpServers.map(({ name }) => name);
  const catalog = await loadCatalog([builtInCatalogDir(), ...catalogDirs], { tools: builtInTools, mcpServers });
  const state = createMemoryState({ clock, logger });

  provideDependencies({ state, clock, logger, configuration: createEnvironmentConfiguration(settings) });
  const [functions, composed] = await Promise.all([
    loadFunctionsApp(new URL("../functions/src/main.ts", import.meta.url).pathname),
    composeHost({ settings, state, catalog, tools: builtInTools, logger, clock }),
  ]);
  const answerFunction = createFunctionsRequestListener(functions, { logger });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      if (!(await answerFunction(request, response))) response.writeHead(404, { "content-length": "0" }).end();
    } catch (error) {
      logger.debug({ error }, "a request ended early");
      response.destroy();
    }
  }

  const server = createServer((request, response) => void answer(request, response));
  server.on("upgrade", (request, socket, head) => {
    if (!composed.host.handleUpgrade(request, socket, head))
      socket.end("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.once("error", reject);
    server.listen(settings.port, settings.host, () => {
      const address: AddressInfo | string | null = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : settings.port);
    });
  });

  console.log(
    startScreen({
      url: `http://${settings.host === "127.0.0.1" ? "localhost" : settings.host}:${port}`,
      parts: describeParts(settings),
      agents: catalog.agents.size,
      scenarios: catalog.scenarios.size,
      hasConsole: false,
      startedInMs: performance.now() - startedAtMs,
    }),
  );

  let stopping = false;
  async function stop(): Promise<void> {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(0), exitDeadlineMs).unref();
    server.close();
    await composed.close(drainMs);
    server.closeAllConnections();
    await functions.close();
    await state.close();
  }
  process.once("SIGINT", () => void stop());
  process.once("SIGTERM", () => void stop());
}

/** One clear line for what a person can mend; everything else keeps its stack. */
function explain(error: unknown): string {
  if (error instanceof CatalogError) return error.problems.map(problemLine).join("\n");
  if (error instanceof ConfigurationError) return error.message;
  if (error instanceof Error && "code" in error && error.code === "EADDRINUSE")
    return `The port is in use: ${error.message}. Choose another with PORT=8081 npm start.`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

start().catch((error: unknown) => {
  console.error(explain(error));
  process.exit(1);
});

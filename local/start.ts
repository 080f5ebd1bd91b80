/** `npm start`: runs the whole service on this machine and says what it is and what to try. */
import { CatalogError, problemLine } from "@voice/shared/catalog/problems";
import { ConfigurationError } from "@voice/shared/config/configuration-error";
import { loadConfiguration } from "@voice/shared/config/load-configuration";
import { describeParts } from "@voice/shared/config/parts";
import { systemClock } from "@voice/shared/platform/clock";
import { createLogger } from "@voice/shared/platform/logger";
import { serveConsole } from "./console/serve-console.ts";
import { startService } from "./service.ts";
import { startScreen } from "./start-screen.ts";

/** Ctrl-C: conversations get this long to say goodbye. */
const drainMs = 1200;
/** Whatever still holds the process then is cut. */
const exitDeadlineMs = 1900;

async function start(): Promise<void> {
  const startedAtMs = performance.now();
  const configuration = await loadConfiguration({
    environment: process.env,
    name: "voice",
    clock: systemClock,
    loadCloud: () => import("@voice/shared/config/cloud"),
  });
  const settings = configuration.settings();
  // The start screen is what a newcomer should see; the log speaks up when something is wrong, or when asked to.
  const level = process.env["LOG_LEVEL"] === undefined ? "warn" : settings.logLevel;
  const logger = createLogger({ level, name: "voice" });
  const pages = settings.consoleEnabled ? await serveConsole({ logger }) : undefined;
  const service = await startService({ settings, configuration, logger, pages });
  console.log(
    startScreen({
      url: `http://${settings.host === "127.0.0.1" ? "localhost" : settings.host}:${service.port}`,
      parts: describeParts(settings),
      agents: service.catalog.agents.size,
      scenarios: service.catalog.scenarios.size,
      hasConsole: settings.consoleEnabled,
      startedInMs: performance.now() - startedAtMs,
    }),
  );

  const stop = async (): Promise<void> => {
    setTimeout(() => process.exit(0), exitDeadlineMs).unref();
    await service.close(drainMs);
  };
  process.once("SIGINT", () => void stop());
  process.once("SIGTERM", () => void stop());
}

/** One clear line for what a person can mend; everything else keeps its stack. */
function explain(error: unknown): string {
  if (error instanceof CatalogError) return error.problems.map(problemLine).join("\n");
  if (error instanceof ConfigurationError) return error.message;
  if (error instanceof Error && "code" in error && error.code === "EADDRINUSE")
    return `${error.message}. Choose another port: PORT=8081 npm start`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

start().catch((error: unknown) => {
  console.error(explain(error));
  process.exit(1);
});

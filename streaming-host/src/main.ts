/** The streaming host as a process of its own: settings, Redis, catalog, one HTTP server for probes and upgrades. */
import { once } from "node:events";
import { createServer } from "node:http";
import { reportAccess } from "@voice/shared/auth/report-access";
import { knownToolsOf, loadServiceCatalog } from "@voice/shared/catalog/load-service-catalog";
import { explainStartFailure } from "@voice/shared/config/explain-start-failure";
import { identityOf, loadConfiguration } from "@voice/shared/config/load-configuration";
import { reportMisspeltNames } from "@voice/shared/config/misspelt-names";
import { readEnvironment } from "@voice/shared/config/read-environment";
import { createAgreedClock } from "@voice/shared/platform/agreed-clock";
import { commit } from "@voice/shared/platform/build";
import { collectStartGarbage } from "@voice/shared/platform/collect-start-garbage";
import { systemClock } from "@voice/shared/platform/clock";
import { loadTelemetry } from "@voice/shared/telemetry/load-telemetry";
import { endOnUncaughtError } from "@voice/shared/platform/end-on-uncaught-error";
import { createLogger } from "@voice/shared/platform/logger";
import { createState } from "@voice/shared/state/create-state";
import { keepTime } from "@voice/shared/state/keep-time";
import { loadTools } from "@voice/shared/tools/load-tools";
import { composeCatalogLanguage, providersBySettings } from "./compose/providers.ts";
import { composeHost } from "./compose/host.ts";
import { openHost } from "./compose/open-host.ts";
import { hostVersion } from "./server/host/describe-host.ts";
import { answerWithoutHandshake } from "./server/accept/answer-without-handshake.ts";
import { answerProbe } from "./server/accept/probes.ts";
import { requestTimes } from "./server/accept/limit-request-time.ts";
import { compileAtFirstUse } from "./server/host/compile-at-first-use.ts";
import { letBuffersWait } from "./server/host/let-buffers-wait.ts";
import { keepThreadHeapsSmall } from "./server/host/small-thread-heaps.ts";
import { serveMetrics } from "./server/host/serve-metrics.ts";
import { yieldToMainThread } from "./server/host/yield-to-main-thread.ts";
import { refuseUnknownPath } from "./server/accept/refuse-upgrade.ts";
import { languagePacks } from "@voice/shared/languages/packs";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { pageOrigins } from "@voice/shared/auth/page-origins";
import type { Settings } from "@voice/shared/config/settings";
import { readPageFiles } from "./server/pages/page-files.ts";
import { servePages, type PageHandler } from "./server/pages/serve-pages.ts";

async function start(): Promise<void> {
  keepThreadHeapsSmall();
  const clock = createAgreedClock(systemClock);
  const configuration = await loadConfiguration({
    environment: readEnvironment(),
    name: "streaming-host",
    clock,
    loadCloud: () => import("@voice/shared/config/cloud"),
  });
  const settings = configuration.settings();
  const identity = identityOf(settings, () => import("@voice/shared/config/cloud"));
  const telemetry = await loadTelemetry(
    { settings, name: "voice-streaming-host", version: hostVersion, exportsLogs: true, identity },
    () => import("@voice/shared/telemetry/open-telemetry/start-open-telemetry"),
  );
  const logger = createLogger({ level: settings.logLevel, name: "streaming-host", also: telemetry.log });
  endOnUncaughtError(logger, () => telemetry.close());
  reportAccess(settings, logger);
  reportMisspeltNames(readEnvironment(), logger);
  const { tools, customers } = await loadTools(settings, { clock, logger });
  const catalog = await loadServiceCatalog(settings, await composeCatalogLanguage(), knownToolsOf(settings, tools));
  const state = await createState(settings, { clock, logger, identity });
  const stopKeepingTime = await keepTime(clock, state, logger);
  const settingsNow = () => configuration.settings();
  const host = await openHost({ settings, settingsNow, state, clock, logger }, identity, telemetry);
  const providers = providersBySettings(catalog);
  const composed = await composeHost(host, { identity, catalog, tools, customers, providers });

  const build = { version: hostVersion, commit: await commit() };
  const pages = await openPackagedConsole(settings);
  const server = createServer(requestTimes, (request, response) => {
    if (pages?.(request, response) === true || answerWithoutHandshake(request, response)) return;
    answerProbe(request, response, { host: composed.host, build });
  });
  server.on("upgrade", (request, socket, head) => {
    if (!composed.host.handleUpgrade(request, socket, head)) refuseUnknownPath(socket, request);
  });
  prepareLanguages();
  // Before anybody can call: a third of what the host would hold from then on.
  collectStartGarbage();
  letBuffersWait();
  yieldToMainThread(logger);
  compileAtFirstUse();
  server.listen(settings.port, settings.host);
  await once(server, "listening");
  const metrics = await serveMetrics(telemetry, settings);
  if (metrics !== undefined) logger.info({ port: metrics.port }, "metrics are served for Prometheus");
  logger.info({ host: settings.host, port: settings.port, state: state.kind }, "streaming host is listening");

  async function stop(): Promise<void> {
    await composed.close(settings.drainTimeoutMs);
    server.close();
    server.closeAllConnections();
    stopKeepingTime();
    await state.close();
    metrics?.close();
    await telemetry.close();
  }
  process.once("SIGINT", () => void stop());
  process.once("SIGTERM", () => void stop());
}

start().catch((error: unknown) => {
  process.stderr.write(`${explainStartFailure(error, "PORT=8081 npm run start:host")}\n`);
  process.exit(1);
});

/**
 * Has every language build the table by which it reads numbers: 5 to 10 ms each, for which all callers of the host would wait in the
 * middle of somebody's first turn.
 */
function prepareLanguages(): void {
  for (const { numbers, code } of languagePacks) numbers.find([code]);
}

/** Serves nothing if there is none, as in a checkout, where `npm start` builds and serves it. The element needs no console. */
async function openPackagedConsole(settings: Settings): Promise<PageHandler | undefined> {
  const folder = fileURLToPath(new URL("console/", import.meta.url));
  if (!existsSync(folder)) return undefined;
  const files = await readPageFiles(folder);
  return servePages(Promise.resolve(files), pageOrigins(settings), settings.consoleEnabled);
}

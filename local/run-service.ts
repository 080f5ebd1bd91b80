/** The whole service on this machine, which says what it is and what to try. */
import { createServer } from "node:http";
import type { Server } from "node:http";
import { catalogLanguage } from "@voice/local-voice/rules/catalog-language";
import type { Catalog } from "@voice/shared/catalog/catalog";
import { reportAccess } from "@voice/shared/auth/report-access";
import { loadServiceCatalog } from "@voice/shared/catalog/load-service-catalog";
import { shownIncomingCallUrl } from "@voice/shared/calls/webhook-urls";
import { loadConfiguration } from "@voice/shared/config/load-configuration";
import { reportMisspeltNames } from "@voice/shared/config/misspelt-names";
import { describeParts } from "@voice/shared/config/describe-parts";
import { partsOf } from "@voice/shared/config/parts";
import { pageOrigins } from "@voice/shared/auth/page-origins";
import type { Settings } from "@voice/shared/config/settings";
import { defaultScenarioOf } from "@voice/shared/catalog/resolve-scenario";
import { hasDemo } from "@voice/shared/demo/demo";
import { systemClock } from "@voice/shared/platform/clock";
import { collectStartGarbage } from "@voice/shared/platform/collect-start-garbage";
import { apiVersion } from "@voice/shared/contracts/http/endpoint";
import { identityOf } from "@voice/shared/config/load-configuration";
import { loadTelemetry } from "@voice/shared/telemetry/load-telemetry";
import { createUuid } from "@voice/shared/platform/ids";
import { createLogger } from "@voice/shared/platform/logger";
import type { LocalSpeech } from "@voice/streaming-host/compose/provider-parts";
import { serveMetrics } from "@voice/streaming-host/server/host/serve-metrics";
import { requestTimes } from "@voice/streaming-host/server/accept/limit-request-time";
import { serveConsole } from "./console/serve-console.ts";
import { serveDialogues } from "./dialogues/serve-dialogues.ts";
import { beginAgain, canBeginAgain, checkSaved, reloadOnSave, watchOnDisk } from "./reload-on-save.ts";
import { startLocalPhoneNetwork } from "./phone-network.ts";
import type { PhoneNetwork, PhoneNetworkOptions } from "./phone-network.ts";
import { defaultPhonePort } from "./phone/phone-controls.ts";
import { phoneNumbers } from "./phone/phone-book.ts";
import { startLocalRealtimeService } from "./realtime-service.ts";
import type { RealtimeService } from "./realtime-service.ts";
import { levelOfLog } from "./begin-speech.ts";
import { listen, portOf, startService } from "./service.ts";
import type { PageListener } from "./service.ts";
import { firstSayings } from "./first-sayings.ts";
import { startScreen } from "./start-screen.ts";

/** Ctrl-C: conversations get this long to say goodbye. */
const drainMs = 1200;
/** Anything that still keeps the process alive after this time is cut off. */
const exitDeadlineMs = 1900;

export interface AskedService {
  /** As the environment has them. */
  readonly asked: Settings;
  readonly telephoneService: NonNullable<PhoneNetworkOptions["service"]>;
  /** Engines that are being loaded. */
  readonly localSpeech: (() => Promise<LocalSpeech>) | undefined;
}

export async function runService({ asked, telephoneService, localSpeech }: AskedService): Promise<void> {
  // Other parts need the service's address before it listens. A chosen port is known; a free one has to be taken first.
  const server = asked.port === 0 ? await takePort(asked) : undefined;
  const port = server === undefined ? asked.port : portOf(server);
  // What has neither a cloud nor a local provider is emulated on this machine, over the vendor's own protocol.
  const catalog = await loadServiceCatalog(asked, catalogLanguage);
  const phones = await startPhones(asked, port, catalog, telephoneService);
  const realtime = await startRealtime(asked, catalog);
  const configuration = await loadConfiguration({
    environment: {
      // People who try things out want to know why they went as they did, and the recorded words are only their own.
      ...(asked.environment === "development" ? { FLIGHT_RECORDER: "true" } : {}),
      ...(phones === undefined ? {} : { COMM_DESTINATIONS: `person=${phoneNumbers.colleague}` }),
      ...process.env,
      ...phones?.environment,
      ...realtime?.environment,
    },
    name: "voice",
    clock: systemClock,
    loadCloud: () => import("@voice/shared/config/cloud"),
  });
  const settings = configuration.settings();
  // A newcomer should see the start screen, so the log reports only problems unless LOG_LEVEL is set.
  const level = levelOfLog(settings);
  const loadCloud = () => import("@voice/shared/config/cloud");
  const telemetry = await loadTelemetry(
    { settings, name: "voice", version: apiVersion, exportsLogs: true, identity: identityOf(settings, loadCloud) },
    () => import("@voice/shared/telemetry/open-telemetry/start-open-telemetry"),
  );
  const logger = createLogger({ level, name: "voice", also: telemetry.log });
  reportAccess(settings, logger);
  reportMisspeltNames(process.env, logger);
  const dialogues = serveDialogues(settings);
  const built = settings.consoleEnabled ? serveConsole({ logger, reaches: pageOrigins(settings) }) : undefined;
  const pages: PageListener = (request, response) =>
    dialogues(request, response) || (built?.(request, response) ?? false);
  // A configuration store may have changed settings that the agents depend on.
  const served = configuration.status().enabled ? await loadServiceCatalog(settings, catalogLanguage) : catalog;
  const service = await startService({
    settings,
    configuration,
    catalog: served,
    logger,
    telemetry,
    pages,
    server,
    localSpeech,
    phones: phones?.browserPhones.handleUpgrade,
  });
  const metrics = await serveMetrics(telemetry, settings);
  await phones?.connect(service.state);
  console.log(
    startScreen({
      url: `http://${settings.host === "127.0.0.1" ? "localhost" : settings.host}:${service.port}`,
      parts: describeParts(settings),
      hasState: await service.state.ping().then(
        () => true,
        () => false,
      ),
      agents: service.catalog.agents.size,
      scenarios: service.catalog.scenarios.size,
      hasConsole: settings.consoleEnabled,
      phoneUrl: phones?.url,
      incomingCallUrl: phones === undefined ? incomingCallUrlOf(settings) : undefined,
      startedInMs: performance.now(), // since the process began
      sayings: firstSayings(
        service.catalog,
        asked.agentScenario ?? (hasDemo(asked) ? undefined : defaultScenarioOf(service.catalog)),
      ),
    }),
  );

  collectStartGarbage();
  obeyTerminal(asked, service.port, async () => {
    await service.close(drainMs);
    metrics?.close();
    await Promise.all([phones?.close(), realtime?.close(), telemetry.close()]);
  });
}

/** Ends with a signal, and begins again with what is saved in one's own catalog and tools. */
function obeyTerminal(asked: Settings, port: number, close: () => Promise<void>): void {
  const stop = (end: () => void): Promise<void> => {
    setTimeout(end, exitDeadlineMs).unref();
    return close();
  };
  const exit = (): void => process.exit(0);
  process.once("SIGINT", () => void stop(exit));
  process.once("SIGTERM", () => void stop(exit));
  const own = [asked.catalogDir, asked.toolsDir].filter((folder) => folder !== undefined);
  if (asked.environment !== "development" || own.length === 0 || !canBeginAgain) return;
  const again = (): void => beginAgain({ PORT: String(port) });
  reloadOnSave({
    clock: systemClock,
    watchFolders: (onChange) => watchOnDisk(own, onChange),
    check: checkSaved,
    say: console.log,
    restart: () => void stop(again).then(again),
  });
}

function incomingCallUrlOf(settings: Settings): string | undefined {
  const { baseUrl } = settings;
  if (partsOf(settings).calls.kind !== "azure" || baseUrl === undefined) return undefined;
  return shownIncomingCallUrl(baseUrl, settings);
}

async function takePort(settings: Settings): Promise<Server> {
  const server = createServer(requestTimes);
  await listen(server, settings);
  return server;
}

/** Without a communication service, calls are made on this machine. It calls back, so it has to know where. */
async function startPhones(
  settings: Settings,
  port: number,
  catalog: Catalog,
  telephoneService: PhoneNetworkOptions["service"],
): Promise<PhoneNetwork | undefined> {
  if (partsOf(settings).calls.kind !== "none" || settings.environment === "production") return undefined;
  const baseUrl = settings.baseUrl ?? `http://127.0.0.1:${port}`;
  const { streamingHostUrl } = settings;
  const sentences = (): readonly string[] => [...catalog.agents.values()].flatMap(({ examples }) => examples);
  const { telephonyApiKey: apiKey, telephonyClientSecret: secret } = settings;
  const platformKey = apiKey === undefined ? undefined : { apiKey, secret };
  const [webhookSecret = settings.enableAuthValidation ? createUuid() : undefined] = settings.commWebhookSecrets ?? [];
  const where = { baseUrl, streamingHostUrl, sentences, platformKey, webhookSecret, service: telephoneService };
  if (port === defaultPhonePort) return startLocalPhoneNetwork(where);
  try {
    return await startLocalPhoneNetwork({ ...where, port: defaultPhonePort });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EADDRINUSE")) throw error;
    return startLocalPhoneNetwork(where);
  }
}

async function startRealtime(settings: Settings, catalog: Catalog): Promise<RealtimeService | undefined> {
  if (partsOf(settings).realtimeModel.kind !== "none" || settings.environment === "production") return undefined;
  return startLocalRealtimeService([...catalog.agents.values()]);
}

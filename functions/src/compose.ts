/**
 * The one place where the functions app gets its dependencies.
 * Azure Functions loads main.ts without providing anything: everything is then created from the settings, at the first request. A process
 * that also runs the streaming host calls `provideDependencies` before the first request, so that both sides share the same state; whatever
 * it does not provide is created here.
 */
import { openAuditTrail } from "@voice/shared/audit/open-audit-trail";
import { createArchive } from "@voice/shared/archive/create-archive";
import { reportAccess } from "@voice/shared/auth/report-access";
import { createTokenVerifier, keysOutage } from "@voice/shared/auth/token-verifier";
import { requireCatalogOfSettings } from "@voice/shared/catalog/check-settings";
import { withCatalogTools } from "@voice/shared/catalog/known-tools";
import { knownToolsOf, loadServiceCatalog } from "@voice/shared/catalog/load-service-catalog";
import { catalogLanguage } from "@voice/local-voice/rules/catalog-language";
import { ReleasedCatalogs } from "@voice/shared/catalog/released-catalogs";
import { identityOf, loadConfiguration } from "@voice/shared/config/load-configuration";
import { reportMisspeltNames } from "@voice/shared/config/misspelt-names";
import { readEnvironment } from "@voice/shared/config/read-environment";
import type { Settings } from "@voice/shared/config/settings";
import { createWatchAccess } from "@voice/shared/live-relay/watch-access";
import { createAgreedClock } from "@voice/shared/platform/agreed-clock";
import { systemClock } from "@voice/shared/platform/clock";
import { apiVersion } from "@voice/shared/contracts/http/endpoint";
import type { EntraCredential } from "@voice/shared/platform/entra-credential";
import { createSessionQuota, createStorageQuota } from "@voice/shared/state/shared-quota";
import { createLogger } from "@voice/shared/platform/logger";
import { createOutageLog } from "@voice/shared/platform/outage-log";
import { keepFirstSuccess } from "@voice/shared/platform/keep-first-success";
import { openTogether, type Opened, type OpenedTogether } from "@voice/shared/platform/open-together";
import { loadTelemetry } from "@voice/shared/telemetry/load-telemetry";
import { noTelemetry } from "@voice/shared/telemetry/telemetry";
import type { RunningTelemetry } from "@voice/shared/telemetry/telemetry";
import { loadTools } from "@voice/shared/tools/load-tools";
import { createState } from "@voice/shared/state/create-state";
import { keepTime } from "@voice/shared/state/keep-time";
import { createRecordingStore } from "@voice/shared/recordings/create-recording-store";
import { createAuthorise } from "./http/authorise.ts";
import { createCallRequests } from "./services/call-requests.ts";
import { createCompositionLog } from "./composition-log.ts";
import type { Dependencies } from "./dependencies.ts";

/** `settings` follows from the configuration. */
export type Parts = Omit<Dependencies, "settings">;

/** Closes what was made here; what was provided belongs to its provider. */
type Composition = OpenedTogether<Parts>;

/** Large, and not needed by most processes: the bundle keeps what is imported so in files of their own. */
const loadCloud = () => import("@voice/shared/config/cloud");
const loadBlobRecordings = () => import("@voice/shared/recordings/blob-recording-store");
const loadCosmos = () => import("@voice/shared/archive/cosmos-archive");
const loadWebPubSub = () => import("@voice/shared/live-relay/web-pubsub-watch-access");

let provided: Partial<Parts> = {};
let composition: Promise<Composition> | undefined;
let compositionLog = createCompositionLog();

const heartbeatSentences = {
  failing: "the streaming hosts' heartbeats cannot be read",
  over: "the streaming hosts' heartbeats are read again",
};

/** Replaces everything that was provided or composed before. */
export function provideDependencies(parts: Partial<Parts>): void {
  provided = parts;
  composition = undefined;
  compositionLog = createCompositionLog();
}

export async function dependencies(): Promise<Dependencies> {
  const composing = (composition ??= compose(provided));
  try {
    const { parts } = await composing;
    return { ...parts, settings: parts.configuration.settings() };
  } catch (error) {
    // The next request tries again: what was missing at the first one may be available by then. It may have begun to.
    if (composition === composing) composition = undefined;
    throw error;
  }
}

/** Answers to requests do not say why composing failed, so the log does. */
export async function reportedDependencies(): Promise<Dependencies> {
  try {
    const composed = await dependencies();
    compositionLog.worked(composed.logger);
    return composed;
  } catch (error) {
    compositionLog.failed(provided.logger ?? createLogger({ level: "error", name: "functions" }), error);
    throw error;
  }
}

export async function closeDependencies(): Promise<void> {
  const closing = composition;
  composition = undefined;
  // What could not be composed has closed itself, and its request has reported why.
  const composed = await closing?.catch(() => undefined);
  await composed?.close();
}

/** Each attempt that fails closes what it has opened, because every request makes another one. */
function compose(given: Partial<Parts>): Promise<Composition> {
  return openTogether(async (opened) => composeParts(given, opened));
}

async function composeParts(given: Partial<Parts>, opened: Opened): Promise<Parts> {
  const ownClock = createAgreedClock(systemClock);
  const clock = given.clock ?? ownClock;
  const configuration =
    given.configuration ??
    (await loadConfiguration({ environment: readEnvironment(), name: "functions", clock, loadCloud }));
  const settings = configuration.settings();
  const identity = identityOf(settings, loadCloud);
  const own = given.telemetry === undefined ? await telemetryOf(settings, identity) : noTelemetry;
  opened(async () => own.close());
  const logger = given.logger ?? createLogger({ level: settings.logLevel, name: "functions", also: own.log });
  const codeTools = given.knownTools ?? knownToolsOf(settings, (await loadTools(settings, { clock, logger })).tools);
  // Before the state: a broken catalog must not leave connections behind.
  const catalog = given.catalog ?? (await loadServiceCatalog(settings, catalogLanguage, codeTools));
  requireCatalogOfSettings(catalog, settings);
  const knownTools = withCatalogTools(codeTools, catalog);
  const state = given.state ?? (await createState(settings, { clock, logger, identity }));
  if (given.state === undefined) opened(async () => state.close());
  // Whoever provides a clock keeps it.
  if (given.clock === undefined) opened(await keepTime(ownClock, state, logger));
  if (given.state === undefined && state.kind === "memory")
    logger.warn({}, "no CACHE_HOST: state is kept in the memory of this process, and no other process sees it");
  // If the configuration was provided, its provider has reported it already.
  if (given.configuration === undefined) {
    reportAccess(settings, logger);
    reportMisspeltNames(readEnvironment(), logger);
  }
  const verifier = createTokenVerifier(createOutageLog(logger, keysOutage));
  const authorise = given.authorise ?? createAuthorise(configuration, verifier);
  const auditTrail =
    given.auditTrail ??
    openAuditTrail(settings, {
      store: state.audit,
      identity,
      clock,
      logger,
      loadBlob: () => import("@voice/shared/audit/blob-audit-archive"),
    });
  if (given.auditTrail === undefined) opened(() => auditTrail.written());
  const watchParts = { identity, wallNow: () => clock.wallNow() };
  return {
    auditTrail,
    configuration,
    clock,
    logger,
    telemetry: given.telemetry ?? own,
    state,
    knownTools,
    catalog,
    releases: given.releases ?? new ReleasedCatalogs(catalog, knownTools, { store: state.releases, logger }),
    recordings:
      given.recordings ?? keepFirstSuccess(() => createRecordingStore(settings, identity, loadBlobRecordings)),
    archive: given.archive ?? keepFirstSuccess(() => createArchive(settings, identity, loadCosmos)),
    watchAccess: given.watchAccess ?? keepFirstSuccess(() => createWatchAccess(settings, watchParts, loadWebPubSub)),
    callRequests: given.callRequests ?? createCallRequests(state.events, clock),
    heartbeatReading: given.heartbeatReading ?? createOutageLog(logger, heartbeatSentences),
    authorise,
    keysProblem: given.keysProblem ?? (() => verifier.keysProblem()),
    hasBrowserPhones: given.hasBrowserPhones ?? false,
    storageQuota:
      given.storageQuota ??
      createStorageQuota(() => configuration.settings(), { counters: state.counters, clock, logger }),
    sessionQuota:
      given.sessionQuota ??
      createSessionQuota(() => configuration.settings(), { counters: state.counters, clock, logger }),
  };
}

/** Azure Functions files standard output by itself. */
function telemetryOf(settings: Settings, identity: EntraCredential): Promise<RunningTelemetry> {
  const exportsLogs = settings.telemetry.includes("otlp");
  return loadTelemetry(
    { settings, name: "voice-functions", version: apiVersion, exportsLogs, identity },
    () => import("@voice/shared/telemetry/open-telemetry/start-open-telemetry"),
  );
}

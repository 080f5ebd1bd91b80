/** Puts a streaming host together. Besides compose-providers.ts and main.ts, the only file that names a vendor. */
import type { ConversationArchive } from "@voice/shared/archive/conversation-archive";
import { partsOf } from "@voice/shared/config/parts";
import { languageFallbacks } from "@voice/shared/catalog/language-fallbacks";
import { createTokenVerifier } from "@voice/shared/auth/token-verifier";
import type { Catalog } from "@voice/shared/catalog/catalog";
import { requireCatalogOfSettings } from "@voice/shared/catalog/check-settings";
import type { ConversationSettings } from "@voice/shared/config/conversation-settings";
import { loadPrices } from "@voice/shared/costs/price-file";
import { identityOf } from "@voice/shared/config/load-configuration";
import type { Settings } from "@voice/shared/config/settings";
import { systemClock } from "@voice/shared/platform/clock";
import type { Clock } from "@voice/shared/platform/clock";
import { createId } from "@voice/shared/platform/ids";
import type { EntraCredential } from "@voice/shared/platform/entra-credential";
import type { Logger } from "@voice/shared/platform/logger";
import { BufferedSessionStore } from "@voice/shared/state/buffered-session-store";
import type { State } from "@voice/shared/state/ports/state";
import type { VoiceError } from "@voice/shared/platform/errors";
import type { LiveUpdates } from "@voice/shared/state/ports/live-updates";
import { noTelemetry } from "@voice/shared/telemetry/telemetry";
import type { Telemetry } from "@voice/shared/telemetry/telemetry";
import { hasDemoCustomers } from "@voice/shared/demo/demo";
import { createStoredCustomers } from "@voice/shared/profiles/stored-customers";
import type { CustomerSource } from "@voice/shared/tools/customer";
import type { Tool } from "@voice/shared/tools/tool";
import type { CallControl } from "./calls/call-control.ts";
import { createKnownCalls } from "./calls/known-calls.ts";
import type { FindCall } from "./calls/known-calls.ts";
import { announcementVoice } from "./calls/announce/announcement-voice.ts";
import type { LocalSpeech } from "./provider-parts.ts";
import { composeLiveRelay, composeProviders, statusOfGiven } from "./compose-providers.ts";
import { composeCalls } from "./compose-calls.ts";
import type { ComposedProviders } from "./compose-providers.ts";
import type { ProviderParts } from "./provider-parts.ts";
import { createAdmission, type Admission, type AdmissionOptions } from "./server/accept/admission.ts";
import { limitSessions } from "./server/accept/session-quota.ts";
import { createSessionQuota } from "@voice/shared/state/shared-quota";
import { createConversations } from "./server/conversations/conversations.ts";
import type { Conversations } from "./server/conversations/conversations.ts";
import type { Providers } from "./server/conversations/providers.ts";
import { composeKeeping, type Keeping } from "./compose-keeping.ts";
import { composeTools, type HostTools } from "./compose-tools.ts";
import { processDelay, watchEventLoopDelay, type EventLoopDelay } from "./server/host/event-loop-delay.ts";
import { describeHost } from "./server/host/describe-host.ts";
import type { LiveRelay } from "@voice/provider-kit/ports/live-relay";
import type { RecordingStore } from "@voice/shared/recordings/recording-store";
import { startHeartbeat } from "./server/host/heartbeat.ts";
import { openChannel } from "./server/channels/open-channel.ts";
import { relayLiveUpdates } from "./server/host/relayed-live-updates.ts";
import { recallState } from "./server/host/recalled-state.ts";
import { createStateProbe } from "./server/host/state-probe.ts";
import { createStreamingHost } from "./server/accept/streaming-host.ts";
import type { StreamingHost } from "./server/accept/streaming-host.ts";
import { createUpgrader } from "./server/accept/upgrade.ts";
import { observeHost } from "./telemetry/host-telemetry.ts";
import { RecentFailures } from "./telemetry/recent-failures.ts";

export interface HostParts {
  readonly settings: Settings;
  /** What a conversation that begins takes; `settings` where absent. */
  readonly settingsNow?: () => ConversationSettings;
  readonly state: State;
  readonly catalog: Catalog;
  readonly tools: ReadonlyMap<string, Tool>;
  /** Those of TOOLS_DIR. If absent, those of the demonstration, where it has them. */
  readonly customers?: CustomerSource | undefined;
  readonly logger: Logger;
  readonly clock?: Clock;
  /** If absent, nobody watches. Its creator disposes of it. */
  readonly telemetry?: Telemetry | undefined;
  /** The identity with which this process calls the cloud's services; made from the settings where absent. */
  readonly identity?: EntraCredential;
  /** Tests and benchmarks bring their own. */
  readonly providers?: Providers;
  /** Local engines that somebody else started, for where the settings name no others. */
  readonly localSpeech?: (() => Promise<LocalSpeech>) | undefined;
  /** Where recordings go; as the settings say where absent. */
  readonly recordingStore?: RecordingStore;
  /** Where ended conversations go; as the settings say where absent. */
  readonly archive?: ConversationArchive;
  /** How long a caller may be silent; tests have less patience than people. */
  readonly idleMs?: number | undefined;
}

export interface ComposedHost {
  readonly host: StreamingHost;
  /** Drains, then lets go of the providers. Idempotent. */
  close(drainMs: number): Promise<void>;
}

/** Throws where the settings name what is not in the catalog; says what it holds that cannot be spoken in full. */
function compareWithCatalog({ catalog, settings, logger }: HostParts): void {
  requireCatalogOfSettings(catalog, settings);
  const fallbacks = languageFallbacks(catalog, settings, partsOf(settings));
  if (fallbacks !== undefined)
    logger.warn({ ...fallbacks }, "some languages are not spoken in full: see docs/agents.md");
}

async function customersOf({ customers, settings, state }: HostParts): Promise<CustomerSource | undefined> {
  if (customers !== undefined || !hasDemoCustomers(settings)) return customers;
  const { defaultProfile } = await import("@voice/demo/profiles/default-profile");
  return createStoredCustomers(state.profiles, defaultProfile);
}

export async function composeHost(parts: HostParts): Promise<ComposedHost> {
  const { settings, catalog, logger, telemetry = noTelemetry, clock = systemClock } = parts;
  const failures = new RecentFailures(clock);
  const tools = await composeTools({ builtIn: parts.tools, catalog, settings, clock, logger });
  compareWithCatalog(parts);
  const born = { hostId: createId("host"), startedAtMs: clock.wallNow() };
  const { hostId } = born;
  const identity = parts.identity ?? identityOf(settings, () => import("@voice/shared/config/cloud"));
  const { providers, status } = await providersOf(parts, { settings, identity, clock, logger });
  const relay = await composeLiveRelay({ settings, identity, clock, logger });
  const hasState = createStateProbe(parts.state, clock);
  const ownState = stateForConversations(parts.state, { relay, hasState, telemetry, failures, clock, logger });
  const { state, sessions, isStored, findCall, relayed } = ownState;
  const speak = announcementVoice(providers.synthesiser, settings);
  const common = { state, catalog, settings, telemetry, failures, clock, logger };
  const onFailed = countFailures(common, "calls");
  const { callControl, withCalls } = await composeCalls({ ...common, speak, identity, onFailed });
  const { liveUpdates } = state;
  const keeping = await composeKeeping(parts, { hostId, sessions, liveUpdates, identity, telemetry, clock });
  const customers = await customersOf(parts);
  const passedOn = { settingsNow: parts.settingsNow, customers, idleMs: parts.idleMs, isStored };
  const conversations = createConversations({
    hostId,
    ...common,
    ...passedOn,
    prices: await loadPrices(settings.pricesFile),
    tools: tools.known,
    findTool: (name) => tools.find(name),
    providers,
    callControl,
    recordings: keeping.recordings,
    onLeft: (sessionId) => keeping.archiver.left(sessionId),
  });
  const services = { hostId, conversations, settings, state, findCall, callControl, clock, logger };
  const load = watchLoad(settings, telemetry);
  const host = createStreamingHost({
    limits: settings,
    isOverloaded: () => load.isOverloaded,
    clock,
    logger,
    upgrader: createUpgrader(clock, logger),
    admit: composeAdmission({
      ...services,
      hasRealtimeModel: providers.realtimeModel !== undefined,
      checkNames: conversations.checkNames,
      verifier: createTokenVerifier(),
      hasState,
    }),
    open: (accepted, route) => openChannel(accepted, route, services),
    onPlacesChanged: () => heartbeat.beatSoon(),
  });
  const statusNow = () => withCalls(status());
  observeHost(telemetry, { host, maxSessions: settings.maxSessions, providers, status: statusNow });
  const heartbeat = startHeartbeat({
    registry: state.hosts,
    clock,
    logger,
    onReturned: () => conversations.returned(),
    onFailed: ({ code }) => telemetry.count("voice.upstream.errors", { part: "state", code }),
    describe: () =>
      describeHost({
        ...born,
        ...common,
        host,
        eventLoop: load,
        providers,
        hasTriedTools: tools.areTried,
        status: statusNow,
        mcpServers: () => tools.servers(),
      }),
  });
  // Who waits for the host to be ready hears of it at once.
  void tools.tried.then(() => heartbeat.beat());
  let closing: Promise<void> | undefined;
  const running = { ...services, ...keeping, host, load, heartbeat, sessions, relayed, tools, providers };
  return { host, close: (drainMs) => (closing ??= shutDown(running, drainMs)) };
}

function composeAdmission(options: AdmissionOptions): Admission {
  const { settings, state, clock, logger } = options;
  const quota = createSessionQuota(() => settings, { counters: state.counters, clock, logger });
  return limitSessions(createAdmission(options), quota);
}

/** On the system's clock, whatever clock the conversations run on: it is the process that is late. */
function watchLoad({ maxEventLoopDelayMs }: Settings, telemetry: Telemetry): EventLoopDelay {
  const own = processDelay();
  const watched = watchEventLoopDelay({
    limitMs: maxEventLoopDelayMs,
    clock: systemClock,
    readDelayMs: own.readDelayMs,
    onMeasured: (delayMs) => telemetry.record("voice.host.event_loop_delay", delayMs),
  });
  return {
    get delayMs() {
      return watched.delayMs;
    },
    get isOverloaded() {
      return watched.isOverloaded;
    },
    stop() {
      watched.stop();
      own.stop();
    },
  };
}

/** What was made here, in the order in which it is let go. */
interface Running extends Keeping {
  readonly host: StreamingHost;
  readonly load: EventLoopDelay;
  readonly heartbeat: ReturnType<typeof startHeartbeat>;
  readonly callControl: CallControl | undefined;
  readonly sessions: BufferedSessionStore;
  readonly relayed: LiveUpdates | undefined;
  readonly conversations: Conversations;
  readonly tools: HostTools;
  readonly providers: Providers;
}

async function shutDown(running: Running, drainMs: number): Promise<void> {
  const { host, conversations, load, heartbeat, callControl, recordings, archiver, sessions } = running;
  const { webhooks, stopEndingLost, relayed, tools, providers } = running;
  const drained = host.drain(drainMs);
  // What is asked of the whole service is for hosts that stay, from now on; the heartbeat tells everybody why.
  await Promise.all([callControl?.drain(), stopEndingLost(), heartbeat.beat()]);
  await drained;
  await conversations.close();
  await callControl?.close();
  await recordings.close();
  await archiver.close();
  await sessions.close();
  // What ended here was put in the outbox just now; any other host sends it.
  await Promise.all([webhooks.close(), relayed?.close()]);
  load.stop();
  await heartbeat.stop();
  await Promise.allSettled([
    tools.close(),
    providers.recogniser.close(),
    providers.synthesiser.close(),
    providers.voiceModel?.close(),
  ]);
}

/** For what no single conversation depends on. */
function countFailures(
  { telemetry, failures }: Pick<StateParts, "telemetry" | "failures">,
  part: string,
): (error: VoiceError) => void {
  return ({ code, reason, message }) => {
    telemetry.count("voice.upstream.errors", { part, code });
    failures.note({ part, code, reason: reason ?? message });
  };
}

interface StateParts {
  readonly relay: LiveRelay | undefined;
  readonly hasState: () => Promise<boolean>;
  readonly telemetry: Telemetry;
  readonly failures: RecentFailures;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Conversations go on here while the store is away, and what they say live is relayed where that is configured. */
function stateForConversations(
  shared: State,
  { relay, hasState, telemetry, failures, clock, logger }: StateParts,
): {
  readonly state: State;
  readonly sessions: BufferedSessionStore;
  readonly isStored: (sessionId: string) => boolean;
  readonly findCall: FindCall;
  readonly relayed: LiveUpdates | undefined;
} {
  const sessions = new BufferedSessionStore({ store: shared.sessions, clock, logger });
  const { liveUpdates } = shared;
  const onOutage = countFailures({ telemetry, failures }, "live-relay");
  const relayed = relay && relayLiveUpdates({ liveUpdates, relay, onOutage, clock, logger });
  const { calls, find: findCall } = createKnownCalls(shared.calls, hasState);
  const state = { ...shared, ...recallState(shared, hasState), calls, sessions, liveUpdates: relayed ?? liveUpdates };
  return { state, sessions, isStored: (sessionId) => sessions.isStored(sessionId), findCall, relayed };
}

async function providersOf(parts: HostParts, common: ProviderParts): Promise<ComposedProviders> {
  const { providers, state, localSpeech, telemetry = noTelemetry } = parts;
  const onModelRepaired = (repair: string): void => telemetry.count("voice.model.repairs", { repair });
  const files = state.kind === "redis" ? state.spokenWords : undefined;
  return providers === undefined
    ? composeProviders({ ...common, files, localSpeech, onModelRepaired }, parts.catalog)
    : { providers, status: () => statusOfGiven(providers) };
}

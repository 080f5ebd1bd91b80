/** Puts a streaming host together. Besides its neighbours in this folder and main.ts, nothing names a vendor. */
import { languageFallbacks } from "@voice/shared/catalog/language-fallbacks";
import { createTokenVerifier, keysOutage } from "@voice/shared/auth/token-verifier";
import { createOutageLog } from "@voice/shared/platform/outage-log";
import type { Catalog } from "@voice/shared/catalog/catalog";
import { requireCatalogOfSettings } from "@voice/shared/catalog/check-settings";
import { loadPrices } from "@voice/shared/costs/price-file";
import type { Settings } from "@voice/shared/config/settings";
import { systemClock } from "@voice/shared/platform/clock";
import type { EntraCredential } from "@voice/shared/platform/entra-credential";
import type { Telemetry } from "@voice/shared/telemetry/telemetry";
import { hasDemoCustomers } from "@voice/shared/demo/demo";
import { createStoredCustomers } from "@voice/shared/profiles/stored-customers";
import type { CustomerSource } from "@voice/shared/tools/customer";
import type { Tool } from "@voice/shared/tools/tool";
import type { ComposeProviders } from "./providers.ts";
import type { Providers } from "../server/conversations/providers.ts";
import { composeCalls } from "./calls.ts";
import { composeTools } from "./tools.ts";
import { composeWebhooks } from "./webhooks.ts";
import { countFailures, type OpenHost } from "./open-host.ts";
import type { Host } from "../host/host.ts";
import { SocketAdmission } from "../server/accept/admission.ts";
import { limitSessions } from "../server/accept/session-quota.ts";
import { createSessionQuota } from "@voice/shared/state/shared-quota";
import { Channels } from "../server/channels/channels.ts";
import { SessionRecordings } from "../server/conversations/companions/session-recordings.ts";
import { Conversations } from "../server/conversations/conversations.ts";
import { ConversationArchiver } from "../server/host/conversation-archiver.ts";
import { LostConversations } from "../server/host/lost-conversations.ts";
import { processDelay, watchEventLoopDelay, type EventLoopDelay } from "../server/host/event-loop-delay.ts";
import { describeHost } from "../server/host/describe-host.ts";
import { startHeartbeat } from "../server/host/heartbeat.ts";
import { StreamingHost } from "../server/accept/streaming-host.ts";
import { WsUpgrader } from "../server/accept/upgrade.ts";
import { observeHost } from "../telemetry/host-telemetry.ts";

export interface HostParts {
  readonly catalog: Catalog;
  readonly tools: ReadonlyMap<string, Tool>;
  /** Whom the tools of TOOLS_DIR know. If absent, the customers of the demonstration, where that is on. */
  readonly customers?: CustomerSource | undefined;
  /** The identity with which this process calls the cloud's services. */
  readonly identity: EntraCredential;
  /** Speech, language and realtime models: as the settings say, or tests' and benchmarks' own. */
  readonly providers: ComposeProviders;
  /** How long a caller may be silent; tests have less patience than people. */
  readonly idleMs?: number | undefined;
}

export interface ComposedHost {
  readonly host: StreamingHost;
  /** Drains, then lets go of the providers. Idempotent. */
  close(drainMs: number): Promise<void>;
}

/** Throws where the settings name what is not in the catalog; says what it holds that cannot be spoken in full. */
function compareWithCatalog(catalog: Catalog, { settings, parts, logger }: Host): void {
  requireCatalogOfSettings(catalog, settings);
  const fallbacks = languageFallbacks(catalog, settings, parts);
  if (fallbacks !== undefined)
    logger.warn({ ...fallbacks }, "some languages are not spoken in full: see docs/agents.md");
}

export async function composeHost(opened: OpenHost, parts: HostParts): Promise<ComposedHost> {
  const { host, failures, hasState, sessions, findCall, relayed } = opened;
  const { settings, clock, logger } = host;
  const { catalog, identity } = parts;
  compareWithCatalog(catalog, host);
  const startedAtMs = clock.wallNow();
  const tools = await composeTools(host, parts.tools, catalog, identity);
  const { providers, status, ...composed } = await parts.providers(host, identity);
  const onCallsFailed = countFailures("calls", host);
  const { synthesiser } = providers;
  const { callControl, withCalls, ...calls } = await composeCalls(host, identity, onCallsFailed, catalog, synthesiser);
  const reachabilities = [...composed.reachabilities, ...calls.reachabilities];
  const recordings = new SessionRecordings(host, opened.recordings);
  const archiver = opened.archive && new ConversationArchiver(opened.archive, host, opened.stored);
  const webhooks = await composeWebhooks(host, opened.stored);
  const lost = new LostConversations(host, opened.stored);
  const conversations = new Conversations(host, {
    catalog,
    tools: tools.known,
    findTool: (name) => tools.find(name),
    customers: parts.customers ?? (await demoCustomers(host)),
    providers,
    prices: await loadPrices(settings.pricesFile),
    callControl,
    recordings,
    isStored: (sessionId) => sessions.isStored(sessionId),
    onLeft: (sessionId) => archiver?.left(sessionId),
    idleMs: parts.idleMs,
  });
  conversations.startNoting(archiver !== undefined);
  const load = watchLoad(settings, host.telemetry);
  const admission = new SocketAdmission(host, {
    findCall,
    callControl,
    hasRealtimeModel: providers.realtimeModel !== undefined,
    checkNames: conversations.checkNames,
    verifier: createTokenVerifier(createOutageLog(host.logger, keysOutage)),
    hasState,
  });
  const channels = new Channels(host, conversations, { findCall, callControl });
  const sockets = composeSockets(host, admission, channels, load);
  const statusNow = () => withCalls(status());
  observeHost(host.telemetry, { host: sockets, maxSessions: settings.maxSessions, providers, status: statusNow });
  const heartbeat = startHeartbeat({
    registry: host.state.hosts,
    clock,
    logger,
    onReturned: () => conversations.returned(),
    onFailed: ({ code }) => host.telemetry.count("voice.upstream.errors", { part: "state", code }),
    describe: () =>
      describeHost(host, { startedAtMs, sockets, eventLoop: load, providers, tools, failures, status: statusNow }),
  });
  sockets.whenPlacesChange(() => heartbeat.beatSoon());
  for (const reachability of reachabilities) reachability.begin(() => heartbeat.beatSoon());
  // The host is ready now, and the status that others read is to say so without waiting for the next interval.
  void tools.tried.then(() => heartbeat.beat());

  async function shutDown(drainMs: number): Promise<void> {
    const drained = sockets.drain(drainMs);
    // What is asked of the whole service is for hosts that stay, from now on; the heartbeat tells everybody why.
    await Promise.all([callControl?.drain(), lost.close(), heartbeat.beat()]);
    await drained;
    await conversations.close();
    await callControl?.close();
    await recordings.close();
    await archiver?.close();
    await sessions.close();
    // What ended here was put in the outbox just now; any other host sends it.
    await Promise.all([webhooks?.close(), relayed?.close(), host.auditTrail.written()]);
    load.stop();
    for (const reachability of reachabilities) reachability.close();
    await heartbeat.stop();
    await Promise.allSettled([tools.close(), closeProviders(providers)]);
  }
  let closing: Promise<void> | undefined;
  return { host: sockets, close: (drainMs) => (closing ??= shutDown(drainMs)) };
}

/** Accepts sockets, and opens what their routes name on them. */
function composeSockets(
  { settings, state, clock, logger }: Host,
  admission: SocketAdmission,
  channels: Channels,
  load: EventLoopDelay,
): StreamingHost {
  const quota = createSessionQuota(() => settings, { counters: state.counters, clock, logger });
  return new StreamingHost({
    limits: settings,
    isOverloaded: () => load.isOverloaded,
    clock,
    logger,
    upgrader: new WsUpgrader(clock, logger),
    admit: limitSessions((request, route) => admission.admit(request, route), quota),
    open: (accepted, route) => channels.open(accepted, route),
  });
}

async function demoCustomers({ settings, state }: Host): Promise<CustomerSource | undefined> {
  if (!hasDemoCustomers(settings)) return undefined;
  const { defaultProfile } = await import("@voice/demo/profiles/default-profile");
  return createStoredCustomers(state.profiles, defaultProfile);
}

/** On the system's clock, whatever clock the conversations run on: it is the process that is late. */
function watchLoad({ maxEventLoopDelayMs }: Settings, telemetry: Telemetry): EventLoopDelay {
  return watchEventLoopDelay({
    ...processDelay(),
    limitMs: maxEventLoopDelayMs,
    clock: systemClock,
    onMeasured: (delayMs) => telemetry.record("voice.host.event_loop_delay", delayMs),
  });
}

async function closeProviders({ recogniser, synthesiser, languageModel, voiceModel }: Providers): Promise<void> {
  await Promise.allSettled([recogniser.close(), synthesiser.close(), languageModel.close?.(), voiceModel?.close()]);
}

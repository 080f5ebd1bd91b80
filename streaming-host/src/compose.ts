/** Puts a streaming host together. Besides compose-providers.ts and main.ts, the only file that names a vendor. */
import type { ConversationArchive } from "@voice/shared/archive/conversation-archive";
import { createArchive } from "@voice/shared/archive/create-archive";
import { createTokenVerifier } from "@voice/shared/auth/token-verifier";
import type { Catalog } from "@voice/shared/catalog/catalog";
import { requireCatalogOfSettings } from "@voice/shared/catalog/check-settings";
import { commServiceOf } from "@voice/shared/config/comm-service";
import { identityOf } from "@voice/shared/config/load-configuration";
import type { Settings } from "@voice/shared/config/settings";
import { systemClock } from "@voice/shared/platform/clock";
import type { Clock } from "@voice/shared/platform/clock";
import { createId } from "@voice/shared/platform/ids";
import type { EntraCredential } from "@voice/shared/platform/entra-credential";
import type { Logger } from "@voice/shared/platform/logger";
import { BufferedSessionStore } from "@voice/shared/state/buffered-session-store";
import type { ProviderStatus } from "@voice/shared/state/ports/host-registry";
import type { State } from "@voice/shared/state/ports/state";
import type { Tool } from "@voice/shared/tools/tool";
import { startCallControl } from "./calls/call-control.ts";
import type { CallControl } from "./calls/call-control.ts";
import { createAzureCallAutomation } from "./providers/azure/call-automation/call-automation.ts";
import type { CallAutomation } from "./providers/ports/call-automation.ts";
import { composeLiveRelay, composeProviders, statusOfGiven } from "./compose-providers.ts";
import type { ComposedProviders, ProviderParts } from "./compose-providers.ts";
import { createAdmission } from "./server/admission.ts";
import { createConversationArchiver } from "./server/conversation-archiver.ts";
import { createConversationServices } from "./server/conversation-services.ts";
import type { Providers } from "./server/conversation-services.ts";
import { createMcpTools } from "./providers/mcp/mcp-tools.ts";
import { describeHost, hostVersion } from "./server/describe-host.ts";
import { createRecordingStore } from "@voice/shared/recordings/create-recording-store";
import type { RecordingStore } from "@voice/shared/recordings/recording-store";
import { createSessionRecordings } from "./server/session-recordings.ts";
import { startHeartbeat } from "./server/heartbeat.ts";
import { openConnection } from "./server/open-connection.ts";
import { relayLiveUpdates } from "./server/relayed-live-updates.ts";
import { createStateProbe } from "./server/state-probe.ts";
import { createStreamingHost } from "./server/streaming-host.ts";
import type { StreamingHost } from "./server/streaming-host.ts";
import { createNoticeTelemetry } from "./telemetry/notice-telemetry.ts";
import { openTelemetryCounters, openTelemetryInstruments } from "./telemetry/open-telemetry.ts";
import { createRecordingTelemetry } from "./telemetry/recording-telemetry.ts";
import { createTurnTelemetry } from "./telemetry/turn-telemetry.ts";

export interface HostParts {
  readonly settings: Settings;
  readonly state: State;
  readonly catalog: Catalog;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly logger: Logger;
  readonly clock?: Clock;
  /** Who this process is to the cloud's services; made from the settings where absent. */
  readonly identity?: EntraCredential;
  /** Tests and benchmarks bring their own. */
  readonly providers?: Providers;
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

export async function composeHost(parts: HostParts): Promise<ComposedHost> {
  const { settings, catalog, tools, logger, clock = systemClock } = parts;
  requireCatalogOfSettings(catalog, settings);
  const hostId = createId("host");
  const startedAtMs = clock.wallNow();
  const identity = parts.identity ?? identityOf(settings, () => import("@voice/shared/config/cloud"));
  const { providers, status } = await providersOf(parts, { settings, identity, clock, logger });
  const relay = await composeLiveRelay({ settings, identity, clock, logger });
  // Conversations that run here go on while the store is away.
  const sessions = new BufferedSessionStore({ store: parts.state.sessions, clock, logger });
  const { liveUpdates } = parts.state;
  const state: State = {
    ...parts.state,
    sessions,
    liveUpdates: relay === undefined ? liveUpdates : relayLiveUpdates({ liveUpdates, relay, logger }),
  };
  const automation = createCallAutomation(settings, identity);
  const callControl: CallControl | undefined =
    automation && (await startCallControl({ state, automation, settings, clock, logger }));
  const mcp = createMcpTools({ servers: settings.mcpServers, version: hostVersion, clock, logger });
  // A tool server that is away keeps nobody waiting: its tools are there once it answers.
  mcp.start().catch((error: unknown) => logger.error({ error }, "the tool servers could not be tried"));
  const recordings = createSessionRecordings({
    store: parts.recordingStore ?? (await createRecordingStore(settings, identity, loadBlob)),
    sessions,
    announcement: settings.recordingAnnouncement,
    telemetry: createRecordingTelemetry(openTelemetryCounters()),
    clock,
  });
  const archiver = createConversationArchiver({
    archive: parts.archive ?? (await createArchive(settings, identity, loadArchive)),
    sessions,
    retry: { backoffFactor: settings.retryBackoffFactor, jitter: settings.retryJitter },
    random: Math.random,
    clock,
    logger,
  });
  const conversations = createConversationServices({
    hostId,
    settings,
    state,
    catalog,
    tools,
    findTool: (name) => tools.get(name) ?? mcp.get(name),
    providers,
    callControl,
    recordings,
    idleMs: parts.idleMs,
    onTurnMetrics: createTurnTelemetry(openTelemetryInstruments()),
    onNotice: createNoticeTelemetry(openTelemetryCounters()),
    clock,
    logger,
  });
  const services = { hostId, conversations, archiver, settings, state, callControl, clock, logger };
  const host = createStreamingHost({
    maxSessions: settings.maxSessions,
    clock,
    logger,
    admit: createAdmission({
      settings,
      state,
      hasRealtimeModel: providers.realtimeModel !== undefined,
      checkStart: conversations.checkStart,
      verifier: createTokenVerifier(),
      clock,
      hasState: createStateProbe(state, clock),
      logger,
    }),
    open: (webSocket, request, route, onClosed) => openConnection(webSocket, request, route, services, onClosed),
  });
  const heartbeat = startHeartbeat({
    registry: state.hosts,
    clock,
    logger,
    describe: () =>
      describeHost({
        hostId,
        startedAtMs,
        host,
        providers,
        status: () => ({
          ...status(),
          ...(callControl === undefined ? {} : { callControl: callControlStatus(settings) }),
        }),
        mcpServers: () => mcp.statuses(),
        settings,
      }),
  });
  let closing: Promise<void> | undefined;

  async function shutDown(drainMs: number): Promise<void> {
    const drained = host.drain(drainMs);
    // What is asked of the whole service is for hosts that stay, from now on; the heartbeat tells everybody why.
    await Promise.all([callControl?.drain(), heartbeat.beat()]);
    await drained;
    await callControl?.close();
    await Promise.all([recordings.close(), archiver.close()]);
    await sessions.close();
    await heartbeat.stop();
    await Promise.allSettled([mcp.close(), providers.recogniser.close(), providers.synthesiser.close()]);
  }

  return { host, close: (drainMs) => (closing ??= shutDown(drainMs)) };
}

const loadArchive = () => import("@voice/shared/archive/cosmos-archive");
const loadBlob = () => import("@voice/shared/recordings/blob-recording-store");

async function providersOf(parts: HostParts, common: ProviderParts): Promise<ComposedProviders> {
  const { providers } = parts;
  return providers === undefined ? composeProviders(common) : { providers, status: () => statusOfGiven(providers) };
}

function callControlStatus(settings: Settings): ProviderStatus {
  return { name: commServiceOf(settings) === "local" ? "local" : "azure", healthy: true };
}

function createCallAutomation(settings: Settings, identity: EntraCredential): CallAutomation | undefined {
  const { commConnectionString: connectionString, commEndpoint: endpoint, retryMaxAttempts: maxAttempts } = settings;
  if (connectionString !== undefined) return createAzureCallAutomation({ access: { connectionString }, maxAttempts });
  if (endpoint === undefined) return undefined;
  return createAzureCallAutomation({ access: { endpoint, credential: identity }, maxAttempts });
}

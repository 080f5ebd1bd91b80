/** Chooses the vendors' parts and puts a streaming host together. Besides main.ts, the only file that names a vendor. */
import { DefaultAzureCredential } from "@azure/identity";
import type { Catalog } from "@voice/shared/catalog/catalog";
import type { Settings } from "@voice/shared/config/settings";
import { systemClock } from "@voice/shared/platform/clock";
import type { Clock } from "@voice/shared/platform/clock";
import { createId } from "@voice/shared/platform/ids";
import type { Logger } from "@voice/shared/platform/logger";
import type { State } from "@voice/shared/state/ports/state";
import type { Tool } from "@voice/shared/tools/tool";
import { startCallControl } from "./calls/call-control.ts";
import type { CallControl } from "./calls/call-control.ts";
import { createAzureCallAutomation } from "./providers/azure/call-automation/call-automation.ts";
import type { CallAutomation } from "./providers/ports/call-automation.ts";
import { createLocalRecogniser } from "./providers/local/recogniser/local-recogniser.ts";
import { createRuleModel } from "./providers/local/rule-model/rule-model.ts";
import { createLocalSynthesiser } from "./providers/local/synthesiser/local-synthesiser.ts";
import { loadVoiceActivity } from "./providers/local/voice-activity/local-voice-activity.ts";
import { createAdmission } from "./server/admission.ts";
import { createConversationServices } from "./server/conversation-services.ts";
import type { Providers } from "./server/conversation-services.ts";
import { describeHost } from "./server/describe-host.ts";
import { startHeartbeat } from "./server/heartbeat.ts";
import { openConnection } from "./server/open-connection.ts";
import { createStreamingHost } from "./server/streaming-host.ts";
import type { StreamingHost } from "./server/streaming-host.ts";
import { openTelemetryInstruments } from "./telemetry/open-telemetry.ts";
import { createTurnTelemetry } from "./telemetry/turn-telemetry.ts";

export interface HostParts {
  readonly settings: Settings;
  readonly state: State;
  readonly catalog: Catalog;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly logger: Logger;
  readonly clock?: Clock;
  /** Tests and benchmarks bring their own. */
  readonly providers?: Providers;
  /** How long a caller may be silent; tests have less patience than people. */
  readonly idleMs?: number | undefined;
}

export interface ComposedHost {
  readonly host: StreamingHost;
  /** Drains, then lets go of the providers. Idempotent. */
  close(drainMs: number): Promise<void>;
}

export async function composeHost(parts: HostParts): Promise<ComposedHost> {
  const { settings, state, catalog, tools, logger, clock = systemClock } = parts;
  const hostId = createId("host");
  const startedAtMs = clock.wallNow();
  const providers = parts.providers ?? (await createProviders(settings, logger));
  const automation = createCallAutomation(settings);
  const callControl: CallControl | undefined =
    automation && (await startCallControl({ state, automation, settings, clock, logger }));
  const conversations = createConversationServices({
    hostId,
    settings,
    state,
    catalog,
    tools,
    providers,
    carryOut: callControl?.carryOut,
    idleMs: parts.idleMs,
    onTurnMetrics: createTurnTelemetry(openTelemetryInstruments()),
    clock,
    logger,
  });
  const hangUp =
    callControl &&
    ((callConnectionId: string, reason: string) =>
      void callControl.carryOut({ type: "hang-up", reason }, callConnectionId));
  const services = { hostId, conversations, settings, state, hangUp, clock, logger };
  const host = createStreamingHost({
    maxSessions: settings.maxSessions,
    clock,
    logger,
    admit: createAdmission({
      settings,
      state,
      hasRealtimeModel: providers.realtimeModel !== undefined,
      checkStart: conversations.checkStart,
    }),
    open: (webSocket, request, route, onClosed) => openConnection(webSocket, request, route, services, onClosed),
  });
  const heartbeat = startHeartbeat({
    registry: state.hosts,
    clock,
    logger,
    describe: () => describeHost({ hostId, startedAtMs, host, providers, settings }),
  });
  let closing: Promise<void> | undefined;

  async function shutDown(drainMs: number): Promise<void> {
    await heartbeat.beat();
    await host.drain(drainMs);
    await callControl?.close();
    await heartbeat.stop();
    await Promise.allSettled([providers.recogniser.close(), providers.synthesiser.close()]);
  }

  return { host, close: (drainMs) => (closing ??= shutDown(drainMs)) };
}

function createCallAutomation(settings: Settings): CallAutomation | undefined {
  const { commConnectionString: connectionString, commEndpoint: endpoint, retryMaxAttempts: maxAttempts } = settings;
  if (connectionString !== undefined) return createAzureCallAutomation({ access: { connectionString }, maxAttempts });
  if (endpoint === undefined) return undefined;
  return createAzureCallAutomation({ access: { endpoint, credential: new DefaultAzureCredential() }, maxAttempts });
}

async function createProviders(settings: Settings, logger: Logger): Promise<Providers> {
  const [recogniser, synthesiser, createVoiceActivityDetector] = await Promise.all([
    createLocalRecogniser({ warmDecoders: settings.maxSttPoolSize, logger }),
    createLocalSynthesiser({ logger }),
    loadVoiceActivity(),
  ]);
  return {
    recogniser,
    synthesiser,
    createVoiceActivityDetector,
    languageModel: createRuleModel({ clock: systemClock }),
  };
}

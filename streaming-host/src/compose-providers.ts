/** Chooses each part of the speech chain by the settings: the cloud's where it is configured, else the local one. */
import { availableParallelism } from "node:os";
import type { Settings } from "@voice/shared/config/settings";
import type { Clock } from "@voice/shared/platform/clock";
import type { EntraCredential } from "@voice/shared/platform/entra-credential";
import type { Logger } from "@voice/shared/platform/logger";
import type { UpstreamHealth } from "@voice/shared/platform/upstream";
import type { HostHeartbeat, ProviderStatus } from "@voice/shared/state/ports/host-registry";
import type { LanguageModel } from "./providers/ports/language-model.ts";
import type { LiveRelay } from "./providers/ports/live-relay.ts";
import type { RealtimeModel } from "./providers/ports/realtime-model.ts";
import type { PoolFigures, Recogniser } from "./providers/ports/recogniser.ts";
import type { Synthesiser } from "./providers/ports/synthesiser.ts";
import type { Providers } from "./server/conversation-services.ts";

export interface ProviderParts {
  readonly settings: Settings;
  readonly identity: EntraCredential;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface ComposedProviders {
  readonly providers: Providers;
  /** For the heartbeat: who does what, and whether it can. */
  status(): HostHeartbeat["providers"];
}

interface Speech {
  readonly name: string;
  readonly recogniser: Recogniser;
  readonly synthesiser: Synthesiser;
}

interface Realtime {
  readonly realtimeModel: RealtimeModel;
  readonly status: () => ProviderStatus;
}

interface Model {
  readonly languageModel: LanguageModel;
  readonly status: () => ProviderStatus;
}

/** Every vendor is imported when it is chosen: their SDKs are large, and most processes need one of each kind. */
export async function composeProviders(parts: ProviderParts): Promise<ComposedProviders> {
  const { loadVoiceActivity } = await import("./providers/local/voice-activity/local-voice-activity.ts");
  const [speech, model, realtime, createVoiceActivityDetector] = await Promise.all([
    composeSpeech(parts),
    composeModel(parts),
    composeRealtime(parts),
    loadVoiceActivity(),
  ]);
  const { name, recogniser, synthesiser } = speech;
  return {
    providers: {
      recogniser,
      synthesiser,
      languageModel: model.languageModel,
      createVoiceActivityDetector,
      realtimeModel: realtime?.realtimeModel,
    },
    status: () => ({
      recogniser: poolStatus(name, recogniser.pool()),
      synthesiser: poolStatus(name, synthesiser.pool()),
      languageModel: model.status(),
      ...(realtime === undefined ? {} : { realtimeModel: realtime.status() }),
    }),
  };
}

/** What providers that somebody else made can be asked. */
export function statusOfGiven({ recogniser, synthesiser }: Providers): HostHeartbeat["providers"] {
  return {
    recogniser: poolStatus("custom", recogniser.pool()),
    synthesiser: poolStatus("custom", synthesiser.pool()),
    languageModel: { name: "custom", healthy: true },
  };
}

export async function composeLiveRelay({ settings, identity }: ProviderParts): Promise<LiveRelay | undefined> {
  const { webPubSubConnectionString: connectionString, webPubSubEndpoint: endpoint } = settings;
  if (connectionString === undefined && endpoint === undefined) return undefined;
  const { createWebPubSubRelay } = await import("./providers/azure/web-pubsub.ts");
  if (connectionString !== undefined) return createWebPubSubRelay({ connectionString });
  return endpoint === undefined ? undefined : createWebPubSubRelay({ endpoint, credential: identity });
}

async function composeSpeech({ settings, identity, clock, logger }: ProviderParts): Promise<Speech> {
  if (settings.speechRegion !== undefined || settings.speechEndpoint !== undefined) {
    const { createAzureSpeech } = await import("./providers/azure/from-settings.ts");
    return { name: "azure", ...createAzureSpeech(settings, { tokens: identity.tokenFor, clock, logger }) };
  }
  const [{ createLocalRecogniser }, { createLocalSynthesiser }, { synthesisThreads }] = await Promise.all([
    import("./providers/local/recogniser/local-recogniser.ts"),
    import("./providers/local/synthesiser/local-synthesiser.ts"),
    import("./providers/local/synthesiser/synthesis-threads.ts"),
  ]);
  const workers = synthesisThreads(settings.maxTtsPoolSize, availableParallelism());
  const [recogniser, synthesiser] = await Promise.all([
    createLocalRecogniser({ warmDecoders: settings.maxSttPoolSize, logger }),
    createLocalSynthesiser({ workers, logger }),
  ]);
  return { name: "local", recogniser, synthesiser };
}

async function composeModel({ settings, identity, clock, logger }: ProviderParts): Promise<Model> {
  if (settings.openaiEndpoint !== undefined) {
    const { createOpenAiFromSettings } = await import("./providers/openai/from-settings.ts");
    const languageModel = createOpenAiFromSettings(settings, { tokens: identity.tokenFor, clock, logger });
    if (languageModel !== undefined)
      return { languageModel, status: () => modelStatus("openai", Object.values(languageModel.health())) };
  }
  const { createRuleModel } = await import("./providers/local/rule-model/rule-model.ts");
  return { languageModel: createRuleModel({ clock }), status: () => ({ name: "local", healthy: true }) };
}

async function composeRealtime({ settings, identity, clock, logger }: ProviderParts): Promise<Realtime | undefined> {
  if (settings.voiceLiveEndpoint === undefined) return undefined;
  const { createVoiceLiveFromSettings } = await import("./providers/voice-live/from-settings.ts");
  const realtimeModel = createVoiceLiveFromSettings(settings, { tokens: identity.tokenFor, clock, logger });
  return realtimeModel && { realtimeModel, status: () => modelStatus("voice-live", [realtimeModel.health()]) };
}

function poolStatus(name: string, { ready, lastErrorCode }: PoolFigures): ProviderStatus {
  if (ready && lastErrorCode === undefined) return { name, healthy: true };
  return { name, healthy: false, error: `it cannot be reached (${lastErrorCode ?? "no connection yet"})` };
}

/** Agents may name deployments of their own; one that is down is a problem of the agents that use it. */
function modelStatus(name: string, deployments: readonly UpstreamHealth[]): ProviderStatus {
  const down = deployments.find(({ status }) => status === "down");
  if (down === undefined) return { name, healthy: true };
  return { name, healthy: false, error: `a deployment is down (${down.lastErrorCode ?? "unknown"})` };
}

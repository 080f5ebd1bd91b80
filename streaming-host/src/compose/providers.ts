/** Chooses each part of the speech chain by the settings: the one that is configured, else the local one. */
import { speechDefaultsOf } from "@voice/shared/catalog/catalog-in-language";
import { partsOf, type CloudAccess } from "@voice/shared/config/parts";
import { billedNamesOf } from "@voice/shared/costs/billed-names";
import type { Catalog } from "@voice/shared/catalog/catalog";
import type { CatalogLanguage } from "@voice/shared/catalog/catalog-language";
import type { Settings } from "@voice/shared/config/settings";
import type { EntraCredential } from "@voice/shared/platform/entra-credential";
import type { VoiceError } from "@voice/shared/platform/errors";
import type { UpstreamHealth } from "@voice/shared/platform/upstream";
import type { RealtimeHealth } from "@voice/provider-kit/realtime-protocol/realtime-client";
import type { HostHeartbeat, ProviderStatus } from "@voice/shared/state/ports/host-registry";
import type { CallAutomation } from "@voice/provider-kit/ports/call-automation";
import type { VoiceEndOfTurnModel } from "@voice/provider-kit/ports/end-of-turn";
import type { LanguageModel } from "@voice/provider-kit/ports/language-model";
import type { LiveRelay } from "@voice/provider-kit/ports/live-relay";
import type { RealtimeModel } from "@voice/provider-kit/ports/realtime-model";
import type { PoolFigures } from "@voice/provider-kit/ports/recogniser";
import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import { loadOwn } from "./own.ts";
import { composeRecogniser, composeSynthesiser } from "./speech.ts";
import type { ComposedSynthesiser } from "./speech.ts";
import { vendorContext, type LocalSpeech, type ProviderParts } from "./provider-parts.ts";
import type { Host } from "../host/host.ts";
import { countedSynthesiser } from "../pipeline/speaking/counted-synthesiser.ts";
import { SharedSynthesiser } from "../pipeline/speaking/shared-synthesiser.ts";
import { withStandInVoice } from "../pipeline/speaking/stand-in-voice.ts";
import { StoredSynthesiser } from "../pipeline/speaking/stored-synthesiser.ts";
import type { Providers } from "../server/conversations/providers.ts";
import { fixedSpeech } from "../session/output/fixed-speech.ts";

export interface ComposedProviders {
  readonly providers: Providers;
  /** For the heartbeat: who does what, and whether it can. */
  status(): HostHeartbeat["providers"];
}

interface ComposedCallAutomation {
  readonly automation: CallAutomation;
  /** For the heartbeat. `problem`: what call control knows to be wrong. */
  readonly status: (problem?: string) => ProviderStatus;
}

interface Realtime {
  readonly realtimeModel: RealtimeModel;
  readonly status: () => ProviderStatus;
}

interface Model {
  readonly languageModel: LanguageModel;
  /** Undefined where the model that answers cannot be asked to sum a conversation up. */
  readonly summaryModel: LanguageModel | undefined;
  readonly status: () => ProviderStatus;
}

/** Agents have rules whichever model answers, so that their mistakes show before the local one is needed. */
export async function composeCatalogLanguage(): Promise<CatalogLanguage> {
  const { catalogLanguage } = await import("@voice/local-voice/rules/catalog-language");
  return catalogLanguage;
}

export type ComposeProviders = (host: Host, identity: EntraCredential) => Promise<ComposedProviders>;

/** As the settings say. `localSpeech`: engines that somebody else started, for where the settings name no others. */
export function providersBySettings(catalog: Catalog, localSpeech?: () => Promise<LocalSpeech>): ComposeProviders {
  return ({ settings, state, telemetry, clock, logger }, identity) => {
    const files = state.kind === "redis" ? state.spokenWords : undefined;
    const onModelRepaired = (repair: string): void => telemetry.count("voice.model.repairs", { repair });
    return composeProviders({ settings, identity, files, clock, logger, onModelRepaired, localSpeech }, catalog);
  };
}

/** Providers that somebody else made. */
export function givenProviders(providers: Providers): ComposeProviders {
  return async () => ({
    providers,
    status: () => ({
      recogniser: poolStatus("custom", providers.recogniser.pool()),
      synthesiser: poolStatus("custom", providers.synthesiser.pool()),
      languageModel: { name: "custom", healthy: true },
    }),
  });
}

/** Every vendor is imported when it is chosen: their SDKs are large, and most processes need one of each kind. */
export async function composeProviders(parts: ProviderParts, catalog: Catalog): Promise<ComposedProviders> {
  const { composeVoiceActivity } = await import("./voice-activity.ts");
  const voiceActivity = await composeVoiceActivity(parts);
  const [recognition, synthesis, model, realtime, voiceModel] = await Promise.all([
    composeRecogniser(parts, voiceActivity),
    composeSynthesiser(parts),
    composeModel(parts, catalog),
    composeRealtime(parts),
    composeVoiceModel(parts),
  ]);
  const { recogniser } = recognition;
  const counted = { ...synthesis, synthesiser: countedSynthesiser(synthesis.synthesiser) };
  const maxKeptBytes = parts.settings.ttsCacheMb * 1024 * 1024;
  const shared = new SharedSynthesiser({ synthesiser: keptBetweenHosts(counted, parts, catalog), maxKeptBytes });
  const synthesiser = audibleSynthesiser(shared, parts);
  return {
    providers: {
      recogniser,
      synthesiser,
      languageModel: model.languageModel,
      summaryModel: model.summaryModel,
      createVoiceActivityDetector: voiceActivity.createDetector,
      voiceModel,
      realtimeModel: realtime?.realtimeModel,
      billed: billedNamesOf(partsOf(parts.settings)),
    } satisfies Required<Providers>, // so that none is forgotten
    status: () => ({
      recogniser: poolStatus(recognition.name, recogniser.pool()),
      synthesiser: poolStatus(synthesis.name, synthesiser.pool()),
      languageModel: model.status(),
      ...(realtime === undefined ? {} : { realtimeModel: realtime.status() }),
    }),
  };
}

/** SPEECH-20. In production there is no fallback to local parts. */
function audibleSynthesiser(first: Synthesiser, { settings, clock, logger, localSpeech }: ProviderParts): Synthesiser {
  const part = partsOf(settings).synthesis;
  if (settings.environment === "production" || part.kind !== "openai") return first;
  const create = async (): Promise<Synthesiser> => {
    if (localSpeech !== undefined) return (await localSpeech()).synthesiser;
    const { composeLocalSynthesiser } = await import("./local-speech.ts");
    return composeLocalSynthesiser({ settings, clock, logger });
  };
  return withStandInVoice(first, create, logger);
}

function keptBetweenHosts(
  { synthesiser }: ComposedSynthesiser,
  { files, settings, clock, logger }: ProviderParts,
  catalog: Catalog,
): Synthesiser {
  const part = partsOf(settings).synthesis;
  // A module may have changed since its audio was stored.
  if (files === undefined || part.kind === "own") return synthesiser;
  const { recordingAnnouncement: announcement } = settings;
  const kept = fixedSpeech({ catalog, defaults: speechDefaultsOf(settings), announcement });
  const provider = JSON.stringify(part);
  return new StoredSynthesiser({ synthesiser, provider, files, kept, clock, logger });
}

export async function composeLiveRelay(settings: Settings, identity: EntraCredential): Promise<LiveRelay | undefined> {
  const { liveRelay } = partsOf(settings);
  if (liveRelay.kind === "none") return undefined;
  const { createWebPubSubRelay } = await import("../providers/azure/web-pubsub.ts");
  return createWebPubSubRelay(withIdentity(liveRelay.access, identity));
}

/** Undefined without a communication service: there are no calls then. */
export async function composeCallAutomation({
  settings,
  identity,
  clock,
  onFailed = () => undefined,
}: Pick<ProviderParts, "settings" | "identity" | "clock"> & {
  readonly onFailed?: (error: VoiceError) => void;
}): Promise<ComposedCallAutomation | undefined> {
  const { calls } = partsOf(settings);
  if (calls.kind === "none") return undefined;
  const { createAzureCallAutomation } = await import("../providers/azure/call-automation/call-automation.ts");
  const { ServiceHealth } = await import("../providers/azure/call-automation/service-health.ts");
  const health = new ServiceHealth({ wallNow: () => clock.wallNow(), onFailed });
  const name = calls.isEmulated ? "local" : "azure";
  return {
    automation: createAzureCallAutomation({
      access: withIdentity(calls.access, identity),
      maxAttempts: settings.retryMaxAttempts,
      requestTimeoutMs: settings.commRequestTimeoutMs,
      wallNow: () => clock.wallNow(),
      health,
    }),
    status: (problem) => {
      const error = health.problem ?? problem;
      return error === undefined ? { name, healthy: true } : { name, healthy: false, error };
    },
  };
}

function withIdentity(access: CloudAccess, identity: EntraCredential) {
  return access.kind === "connection-string" ? access : { endpoint: access.endpoint, credential: identity };
}

export async function composeModel(parts: ProviderParts, catalog: Catalog): Promise<Model> {
  const { settings, clock, logger, onModelRepaired } = parts;
  const part = partsOf(settings).languageModel;
  if (part.kind === "own") {
    const wanted = { kind: "language-model", module: part.module, setting: "LANGUAGE_MODEL_MODULE" } as const;
    const { name, part: own } = await loadOwn(wanted, logger);
    const { guardLanguageModel } = await import("../providers/own/guard-provider.ts");
    const languageModel = guardLanguageModel(name, own);
    return { languageModel, summaryModel: languageModel, status: () => ({ name, healthy: true }) };
  }
  if (part.kind === "openai") {
    const { createOpenAiFromSettings } = await import("../providers/openai/from-settings.ts");
    const languageModel = createOpenAiFromSettings(part, settings, vendorContext(parts), onModelRepaired);
    const deployments = new Set([...catalog.agents.values()].map(({ model }) => model.cascade.deploymentId));
    return {
      languageModel,
      summaryModel: languageModel,
      status: () => ({
        ...modelStatus("openai", languageModel.health(deployments)),
        ...learntOf(languageModel.learnt(deployments)),
      }),
    };
  }
  const { createRuleModel, prepareAgents } = await import("@voice/local-voice/rule-model/rule-model");
  // Before anybody can call: in a turn, all callers would wait for it.
  await prepareAgents(catalog.agents.values());
  return {
    languageModel: createRuleModel({ clock }),
    summaryModel: undefined,
    status: () => ({ name: "local", healthy: true }),
  };
}

async function composeRealtime(parts: ProviderParts): Promise<Realtime | undefined> {
  const { settings, logger } = parts;
  const part = partsOf(settings).realtimeModel;
  if (part.kind === "own") {
    const wanted = { kind: "realtime-model", module: part.module, setting: "REALTIME_MODEL_MODULE" } as const;
    const { name, part: own } = await loadOwn(wanted, logger);
    const { guardRealtimeModel } = await import("../providers/own/guard-provider.ts");
    return { realtimeModel: guardRealtimeModel(name, own), status: () => ({ name, healthy: true }) };
  }
  if (part.kind === "none") return undefined;
  if (part.kind === "openai") {
    const { createOpenAiRealtimeFromSettings } = await import("../providers/openai/realtime/from-settings.ts");
    const openai = createOpenAiRealtimeFromSettings(part, settings, vendorContext(parts));
    return { realtimeModel: openai, status: () => realtimeStatus("openai", part.model, openai.health()) };
  }
  const { createVoiceLiveFromSettings } = await import("../providers/voice-live/from-settings.ts");
  const realtimeModel = createVoiceLiveFromSettings(part, settings, vendorContext(parts));
  return { realtimeModel, status: () => realtimeStatus("voice-live", part.model, realtimeModel.health()) };
}

async function composeVoiceModel({ settings, clock, logger }: ProviderParts): Promise<VoiceEndOfTurnModel | undefined> {
  const { endOfTurnModelFile: modelFile } = settings;
  if (modelFile === undefined) return undefined;
  const { createSmartTurn } = await import("../providers/smart-turn/smart-turn.ts");
  return createSmartTurn({ modelFile, clock, logger });
}

function poolStatus(name: string, { ready, lastErrorCode, lastReason }: PoolFigures): ProviderStatus {
  if (ready && lastErrorCode === undefined) return { name, healthy: true };
  return { name, healthy: false, error: `it cannot be used (${lastReason ?? lastErrorCode ?? "no connection yet"})` };
}

/** MODEL-11. */
function learntOf(deployments: Readonly<Record<string, readonly string[]>>): Pick<ProviderStatus, "learnt"> {
  const learnt = Object.entries(deployments).map(([name, needs]) => `${name}: ${needs.join(", ")}`);
  return learnt.length === 0 ? {} : { learnt };
}

function realtimeStatus(name: string, model: string, { learnt, ...health }: RealtimeHealth): ProviderStatus {
  return { ...modelStatus(name, { [model]: health }), ...(learnt.length > 0 && { learnt }) };
}

/** Agents may name deployments of their own; one that is down is a problem of the agents that use it. */
function modelStatus(name: string, deployments: Readonly<Record<string, UpstreamHealth>>): ProviderStatus {
  const down = Object.entries(deployments).find(([, { status }]) => status === "down");
  if (down === undefined) return { name, healthy: true };
  const [deployment, { lastReason, lastErrorCode = "unknown" }] = down;
  return { name, healthy: false, error: `deployment ${deployment} is down (${lastReason ?? lastErrorCode})` };
}

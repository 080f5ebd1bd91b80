/** Chooses each part of the speech chain by the settings: the one that is configured, else the local one. */
import { speechDefaultsOf } from "@voice/shared/catalog/catalog-in-language";
import { partsOf, withIdentity } from "@voice/shared/config/parts";
import { billedNamesOf } from "@voice/shared/costs/billed-names";
import type { Catalog } from "@voice/shared/catalog/catalog";
import type { CatalogLanguage } from "@voice/shared/catalog/catalog-language";
import type { Settings } from "@voice/shared/config/settings";
import type { EntraCredential } from "@voice/shared/platform/entra-credential";
import type { HostHeartbeat, ProviderStatus } from "@voice/shared/state/ports/host-registry";
import type { VoiceEndOfTurnModel } from "@voice/provider-kit/ports/end-of-turn";
import type { LanguageModel } from "@voice/provider-kit/ports/language-model";
import type { LiveRelay } from "@voice/provider-kit/ports/live-relay";
import type { RealtimeModel } from "@voice/provider-kit/ports/realtime-model";
import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import type { StatusBasis } from "@voice/shared/platform/status-basis";
import { learntOf, modelStatus, ownStatus, poolStatus, realtimeStatus } from "./provider-status.ts";
import { composeRecogniser, composeSynthesiser } from "./speech.ts";
import type { ComposedSynthesiser } from "./speech.ts";
import type { LocalSpeech, ProviderParts } from "./provider-parts.ts";
import { loadLanguages } from "../pipeline/listening/identify-language.ts";
import type { Host } from "../host/host.ts";
import { reachAddress } from "../providers/reach-address.ts";
import { Reachability } from "../providers/reachability.ts";
import { countedSynthesiser } from "../pipeline/speaking/counted-synthesiser.ts";
import { SharedSynthesiser } from "../pipeline/speaking/shared-synthesiser.ts";
import { withStandInVoice } from "../pipeline/speaking/stand-in-voice.ts";
import { StoredSynthesiser } from "../pipeline/speaking/stored-synthesiser.ts";
import type { Providers } from "../server/conversations/providers.ts";
import { fixedSpeech } from "../session/output/fixed-speech.ts";

export interface ComposedProviders {
  readonly providers: Providers;
  /** For the heartbeat: which provider has which part, and whether it can be used. */
  status(): HostHeartbeat["providers"];
  /** Small requests to services that conversations may not need for a while. */
  readonly reachabilities: readonly Reachability[];
}

interface Realtime {
  readonly realtimeModel: RealtimeModel;
  readonly status: () => ProviderStatus;
  readonly reachability?: Reachability;
}

interface Model {
  readonly languageModel: LanguageModel;
  /** Undefined where the model that answers cannot be asked to sum a conversation up. */
  readonly summaryModel: LanguageModel | undefined;
  readonly status: () => ProviderStatus;
  readonly reachability?: Reachability;
}

/** Agents have rules whichever model answers, so that their mistakes show before the local one is needed. */
export async function composeCatalogLanguage(): Promise<CatalogLanguage> {
  const { catalogLanguage } = await import("@voice/local-voice/rules/catalog-language");
  return catalogLanguage;
}

export type ComposeProviders = (host: Host, identity: EntraCredential) => Promise<ComposedProviders>;

/** As the settings say. `localSpeech`: engines that somebody else started, for where the settings name no others. */
export function providersBySettings(catalog: Catalog, localSpeech?: () => Promise<LocalSpeech>): ComposeProviders {
  return ({ settings, state, telemetry, clock, logger }, { tokenFor: tokens }) => {
    const files = state.kind === "redis" ? state.spokenWords : undefined;
    const onModelRepaired = (repair: string): void => telemetry.count("voice.model.repairs", { repair });
    return composeProviders({ settings, tokens, files, clock, logger, onModelRepaired, localSpeech }, catalog);
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
    reachabilities: [],
  });
}

/** Every vendor is imported when it is chosen: their SDKs are large, and most processes need one of each kind. */
export async function composeProviders(parts: ProviderParts, catalog: Catalog): Promise<ComposedProviders> {
  const { composeVoiceActivity } = await import("./voice-activity.ts");
  const createVoiceActivityDetector = await composeVoiceActivity(parts);
  // At the start, because it stops the thread for half a second.
  if ([...catalog.scenarios.values()].some(({ languages }) => languages !== undefined)) await loadLanguages();
  const [recognition, synthesis, model, realtime, voiceModel] = await Promise.all([
    composeRecogniser(parts, createVoiceActivityDetector),
    composeSynthesiser(parts),
    composeModel(parts, catalog),
    composeRealtime(parts),
    composeVoiceModel(parts),
  ]);
  const { recogniser } = recognition;
  const counted = { ...synthesis, synthesiser: countedSynthesiser(synthesis.synthesiser) };
  const maxKeptBytes = parts.settings.ttsCacheMb * 1024 * 1024;
  const shared = new SharedSynthesiser(keptBetweenHosts(counted, parts, catalog), maxKeptBytes);
  const synthesiser = audibleSynthesiser(shared, parts);
  return {
    providers: {
      recogniser,
      synthesiser,
      languageModel: model.languageModel,
      summaryModel: model.summaryModel,
      createVoiceActivityDetector,
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
    reachabilities: [model.reachability, realtime?.reachability].filter((each) => each !== undefined),
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
  const kept = fixedSpeech(catalog, speechDefaultsOf(settings), announcement);
  const provider = JSON.stringify(part);
  return new StoredSynthesiser({ synthesiser, provider, files, kept, clock, logger });
}

export async function composeLiveRelay(settings: Settings, identity: EntraCredential): Promise<LiveRelay | undefined> {
  const { liveRelay } = partsOf(settings);
  if (liveRelay.kind === "none") return undefined;
  const { createWebPubSubRelay } = await import("../providers/azure/web-pubsub.ts");
  return createWebPubSubRelay(withIdentity(liveRelay.access, identity));
}

export async function composeModel(parts: ProviderParts, catalog: Catalog): Promise<Model> {
  const { settings, clock, logger, onModelRepaired } = parts;
  const part = partsOf(settings).languageModel;
  if (part.kind === "own") {
    const [{ loadProvider }, { guardLanguageModel }] = await Promise.all([
      import("../providers/own/load-provider.ts"),
      import("../providers/own/guard-provider.ts"),
    ]);
    const { name, part: own } = await loadProvider("language-model", part.module, logger);
    let basis: StatusBasis = "not-asked";
    const languageModel = guardLanguageModel(name, own, () => (basis = "answered"));
    return { languageModel, summaryModel: languageModel, status: () => ownStatus(name, basis) };
  }
  if (part.kind === "openai") {
    const { createOpenAiFromSettings } = await import("../providers/openai/from-settings.ts");
    const languageModel = createOpenAiFromSettings(part, settings, parts, onModelRepaired);
    const deployments = new Set([...catalog.agents.values()].map(({ model }) => model.cascade.deploymentId));
    const reach = (signal: AbortSignal): Promise<void> => languageModel.reach(signal);
    const reachability = new Reachability({ service: "the language model", reach, clock, logger });
    return {
      languageModel,
      summaryModel: languageModel,
      status: () => ({
        ...modelStatus("openai", languageModel.health(deployments), reachability.state),
        ...learntOf(languageModel.learnt(deployments)),
      }),
      reachability,
    };
  }
  const { createRuleModel, prepareAgents } = await import("@voice/local-voice/rule-model/rule-model");
  const { composeMeanings } = await import("./meanings.ts");
  // The start does not wait for it: whoever calls before it is ready does, for a second at most.
  const meanings = composeMeanings({ settings, clock, logger });
  // Before anybody can call: in a turn, all callers would wait for it.
  await prepareAgents(catalog.agents.values(), meanings);
  return {
    languageModel: createRuleModel({ clock, meanings }),
    summaryModel: undefined,
    status: () => ({ name: "local", healthy: true }),
  };
}

async function composeRealtime(parts: ProviderParts): Promise<Realtime | undefined> {
  const { settings, clock, logger } = parts;
  const part = partsOf(settings).realtimeModel;
  if (part.kind === "own") {
    const [{ loadProvider }, { guardRealtimeModel }] = await Promise.all([
      import("../providers/own/load-provider.ts"),
      import("../providers/own/guard-provider.ts"),
    ]);
    const { name, part: own } = await loadProvider("realtime-model", part.module, logger);
    let basis: StatusBasis = "not-asked";
    const realtimeModel = guardRealtimeModel(name, own, () => (basis = "answered"));
    return { realtimeModel, status: () => ownStatus(name, basis) };
  }
  if (part.kind === "none") return undefined;
  // Opening a session to find out would be charged, and counts against the quota.
  const service = "the realtime model";
  const address = new URL(part.kind === "openai" ? part.baseUrl : part.endpoint);
  const reach = (signal: AbortSignal): Promise<void> => reachAddress(address, service, signal);
  const reachability = new Reachability({ service, reach, clock, logger });
  if (part.kind === "openai") {
    const { createOpenAiRealtimeFromSettings } = await import("../providers/openai/realtime/from-settings.ts");
    const openai = createOpenAiRealtimeFromSettings(part, settings, parts);
    const status = () => realtimeStatus("openai", part.model, openai.health(), reachability.state);
    return { realtimeModel: openai, status, reachability };
  }
  const { createVoiceLiveFromSettings } = await import("../providers/voice-live/from-settings.ts");
  const realtimeModel = createVoiceLiveFromSettings(part, settings, parts);
  const status = () => realtimeStatus("voice-live", part.model, realtimeModel.health(), reachability.state);
  return { realtimeModel, status, reachability };
}

async function composeVoiceModel({ settings, clock, logger }: ProviderParts): Promise<VoiceEndOfTurnModel | undefined> {
  const { endOfTurnModelFile: modelFile } = settings;
  if (modelFile === undefined) return undefined;
  const { createSmartTurn } = await import("../providers/smart-turn/smart-turn.ts");
  return createSmartTurn(modelFile, clock, logger);
}

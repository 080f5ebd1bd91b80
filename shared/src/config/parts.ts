/**
 * Determines which implementation of each part of the product is configured. Composition, start-up checks, readiness
 * and the start screen all follow from this one place.
 */
import { isNamed, servedModel } from "./openai-servers.ts";
import type { OpenAiTask, ServedModel } from "./openai-servers.ts";
import type { SettingKey, Settings } from "./settings.ts";

/** A cloud resource, accessed with a connection string that contains a key, or by address with our own identity. */
export type CloudAccess =
  | { readonly kind: "connection-string"; readonly connectionString: string }
  | { readonly kind: "endpoint"; readonly endpoint: string };

/** Access with the key of a connection string or, without one, with the credential of this process. */
export function withIdentity<Credential>(access: CloudAccess, credential: Credential) {
  return access.kind === "connection-string" ? access : { endpoint: access.endpoint, credential };
}

export type SpeechLocation =
  | { readonly kind: "host"; readonly url: string }
  | { readonly kind: "region"; readonly region: string };

/** A provider from outside the repository. */
export interface OwnPart {
  readonly kind: "own";
  readonly module: string;
}

/** Recognition or synthesis. */
export type SpeechPart =
  | OwnPart
  | { readonly kind: "azure"; readonly location: SpeechLocation }
  | ({ readonly kind: "openai" } & ServedModel)
  /** A user's own voice model, on this machine. */
  | { readonly kind: "model"; readonly dir: string }
  | { readonly kind: "local" };

export interface Parts {
  readonly state:
    | { readonly kind: "redis"; readonly host: string; readonly port: number }
    | { readonly kind: "memory" };
  readonly recognition: SpeechPart;
  readonly synthesis: SpeechPart;
  readonly languageModel:
    | OwnPart
    | {
        readonly kind: "openai";
        readonly endpoint: string;
        readonly deployment: string | undefined;
        /** Which settings configure it: `CLOUD_OPENAI_*`, with a key or an identity, or `OPENAI_*`. */
        readonly named: "cloud" | "openai";
      }
    | { readonly kind: "local" };
  readonly realtimeModel:
    | OwnPart
    | {
        readonly kind: "voice-live";
        readonly endpoint: string;
        readonly model: string;
        /** On this machine. */
        readonly isEmulated: boolean;
      }
    | ({ readonly kind: "openai"; readonly transcriptionModel?: string | undefined } & ServedModel)
    | { readonly kind: "none" };
  readonly calls:
    | { readonly kind: "azure"; readonly access: CloudAccess; /** On this machine. */ readonly isEmulated: boolean }
    | {
        readonly kind: "twilio";
        readonly accountSid: string;
        /** The first signs our requests. */
        readonly authTokens: readonly string[];
        readonly apiUrl: string;
        /** On this machine. */
        readonly isEmulated: boolean;
      }
    | { readonly kind: "none" };
  readonly liveRelay: { readonly kind: "web-pubsub"; readonly access: CloudAccess } | { readonly kind: "none" };
  readonly archive:
    | { readonly kind: "cosmos"; readonly endpoint: string; readonly database: string }
    | { readonly kind: "none" };
  /** Where recordings are stored, if anywhere. */
  readonly recordings:
    | { readonly kind: "blob"; readonly access: CloudAccess; readonly container: string }
    | { readonly kind: "folder"; readonly dir: string }
    | { readonly kind: "none" };
}

export type PartName = keyof Parts;

/** The settings that locate a part in the cloud; the part is in the cloud if any of them is set. */
export const partSettings = {
  state: ["cacheHost"],
  speech: ["speechRegion", "speechEndpoint"],
  languageModel: ["openaiEndpoint"],
  realtimeModel: ["voiceLiveEndpoint"],
  calls: ["commEndpoint", "commConnectionString", "twilioAccountSid"],
  archive: ["docstoreEndpoint"],
  recordings: ["storageEndpoint", "storageConnectionString"],
} as const satisfies Readonly<Record<string, readonly [SettingKey, ...SettingKey[]]>>;

export function partsOf(settings: Settings): Parts {
  return {
    state: stateOf(settings),
    recognition: speechPartOf(settings, "recognition"),
    synthesis: speechPartOf(settings, "synthesis"),
    languageModel: languageModelOf(settings),
    realtimeModel: realtimeModelOf(settings),
    calls: callsOf(settings),
    liveRelay: liveRelayOf(settings),
    archive: archiveOf(settings),
    recordings: recordingsOf(settings),
  };
}

function stateOf({ cacheHost: host, cachePort: port }: Settings): Parts["state"] {
  return host === undefined ? { kind: "memory" } : { kind: "redis", host, port };
}

/**
 * The portal shows a speech resource's endpoint as a regional address that serves none of the speech paths (it answers
 * 404). Such an address is read as the name of its region.
 */
const regionalAddress =
  /^https:\/\/([a-z0-9]+)\.(?:api\.cognitive|stt\.speech|tts\.speech)\.(?:microsoft\.com|azure\.us|azure\.cn)(?:\/|$)/i;

/**
 * A provider of one's own has priority over everything, and a voice model of one's own over any other voice. An explicitly named model has priority over the cloud's speech service, and that over the defaults that come with a
 * key.
 */
function speechPartOf(settings: Settings, task: OpenAiTask & ("recognition" | "synthesis")): SpeechPart {
  const own = task === "recognition" ? settings.recogniserModule : settings.synthesiserModule;
  if (own !== undefined) return { kind: "own", module: own };
  if (task === "synthesis" && settings.voiceModelDir !== undefined)
    return { kind: "model", dir: settings.voiceModelDir };
  const location = speechLocationOf(settings);
  const served = servedModel(settings, task);
  if (served !== undefined && (location === undefined || isNamed(settings, task))) return { kind: "openai", ...served };
  return location === undefined ? { kind: "local" } : { kind: "azure", location };
}

/** A resource's own address takes precedence because it is more specific. */
function speechLocationOf({ speechEndpoint, speechRegion }: Settings): SpeechLocation | undefined {
  const region = regionalAddress.exec(speechEndpoint ?? "")?.[1]?.toLowerCase() ?? speechRegion;
  const isResource = speechEndpoint !== undefined && !regionalAddress.test(speechEndpoint);
  if (isResource) return { kind: "host", url: speechEndpoint };
  return region === undefined ? undefined : { kind: "region", region };
}

function languageModelOf(settings: Settings): Parts["languageModel"] {
  const { languageModelModule } = settings;
  if (languageModelModule !== undefined) return { kind: "own", module: languageModelModule };
  const { openaiEndpoint: endpoint, openaiDeployment: deployment } = settings;
  const served = servedModel(settings, "chat");
  if (served !== undefined && (endpoint === undefined || isNamed(settings, "chat")))
    return { kind: "openai", endpoint: served.baseUrl, deployment: served.model, named: "openai" };
  return endpoint === undefined ? { kind: "local" } : { kind: "openai", endpoint, deployment, named: "cloud" };
}

/** An incomplete configuration of Voice Live is refused at start-up. */
function realtimeModelOf(settings: Settings): Parts["realtimeModel"] {
  const { realtimeModelModule } = settings;
  if (realtimeModelModule !== undefined) return { kind: "own", module: realtimeModelModule };
  const { voiceLiveEndpoint: endpoint, voiceLiveModel: model } = settings;
  const served = servedModel(settings, "realtime");
  const isCloud = endpoint !== undefined && model !== undefined;
  if (served !== undefined && (!isCloud || isNamed(settings, "realtime"))) {
    const { openaiRealtimeTranscriptionModel: transcriptionModel } = settings;
    return { kind: "openai", ...served, ...(transcriptionModel !== undefined && { transcriptionModel }) };
  }
  return isCloud ? { kind: "voice-live", endpoint, model, isEmulated: isLoopbackUrl(endpoint) } : { kind: "none" };
}

function callsOf(settings: Settings): Parts["calls"] {
  const { commConnectionString, commEndpoint, twilioAccountSid } = settings;
  if (twilioAccountSid !== undefined)
    return {
      kind: "twilio",
      accountSid: twilioAccountSid,
      authTokens: settings.twilioAuthTokens ?? [],
      apiUrl: settings.twilioApiUrl,
      isEmulated: isLoopbackUrl(settings.twilioApiUrl),
    };
  const access = accessOf(commConnectionString, commEndpoint);
  return access === undefined ? { kind: "none" } : { kind: "azure", access, isEmulated: isOnThisMachine(access) };
}

function liveRelayOf({ webPubSubConnectionString, webPubSubEndpoint }: Settings): Parts["liveRelay"] {
  const access = accessOf(webPubSubConnectionString, webPubSubEndpoint);
  return access === undefined ? { kind: "none" } : { kind: "web-pubsub", access };
}

function archiveOf({ docstoreEndpoint: endpoint, docstoreDatabase: database }: Settings): Parts["archive"] {
  if (endpoint === undefined || database === undefined) return { kind: "none" };
  return { kind: "cosmos", endpoint, database };
}

function recordingsOf(settings: Settings): Parts["recordings"] {
  const { recordingContainer: container, recordingDir: dir, storageConnectionString, storageEndpoint } = settings;
  const access = accessOf(storageConnectionString, storageEndpoint);
  if (access !== undefined) return { kind: "blob", access, container };
  // Production does not fall back to a local folder, because the machine may be gone tomorrow.
  return settings.environment === "production" ? { kind: "none" } : { kind: "folder", dir };
}

/** A connection string contains a key, so setting one means that the key is to be used. */
function accessOf(connectionString: string | undefined, endpoint: string | undefined): CloudAccess | undefined {
  if (connectionString !== undefined) return { kind: "connection-string", connectionString };
  return endpoint === undefined ? undefined : { kind: "endpoint", endpoint };
}

/** A loopback address means an emulator. */
function isOnThisMachine(access: CloudAccess): boolean {
  const address = access.kind === "endpoint" ? access.endpoint : /endpoint=([^;]+)/i.exec(access.connectionString)?.[1];
  return isLoopbackUrl(address ?? "");
}

function isLoopbackUrl(url: string): boolean {
  return /^(?:http|ws)s?:\/\/(127\.0\.0\.1|localhost|\[::1\])(:|\/|$)/i.test(url);
}

/**
 * Whether the synthesiser has the realtime model's voices. A cloud voice and a local one sound like two different
 * people.
 */
export function speaksAlike({ synthesis, realtimeModel }: Parts): boolean {
  if (realtimeModel.kind === "openai")
    return synthesis.kind === "openai" && synthesis.baseUrl === realtimeModel.baseUrl;
  return realtimeModel.kind === "voice-live" && (synthesis.kind === "azure" || realtimeModel.isEmulated);
}

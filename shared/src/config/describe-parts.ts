/** Describes the parts for the start screen and readiness. */
import { partsOf, type CloudAccess, type PartName, type Parts, type SpeechPart } from "./parts.ts";
import type { Settings } from "./settings.ts";

export interface PartDescription {
  readonly name: string;
  /** `off`: not configured, and there is no local implementation or production does not use it. */
  readonly kind: "real" | "local" | "off";
  /** What it talks to, without credentials. */
  readonly detail: string;
}

type Kind = PartDescription["kind"];

export function describeParts(settings: Settings): readonly PartDescription[] {
  return [...titles.keys()].map((name) => describePart(settings, name));
}

export function describePart(settings: Settings, name: PartName): PartDescription {
  const [kind, detail] = described[name](partsOf(settings), settings);
  const hasNoStandIn = kind === "local" && settings.environment === "production";
  return { name: titles.get(name) ?? name, kind: hasNoStandIn ? "off" : kind, detail };
}

/** In the order in which they are shown. */
const titles: ReadonlyMap<PartName, string> = new Map([
  ["state", "state"],
  ["recognition", "speech recognition"],
  ["synthesis", "speech synthesis"],
  ["languageModel", "language model"],
  ["realtimeModel", "realtime model"],
  ["calls", "calls"],
  ["liveRelay", "live relay"],
  ["archive", "archive"],
  ["recordings", "recordings"],
]);

const described: Readonly<Record<PartName, (parts: Parts, settings: Settings) => readonly [Kind, string]>> = {
  state: ({ state }) =>
    state.kind === "redis" ? ["real", `Redis at ${state.host}:${state.port}`] : ["local", "memory of this process"],
  recognition({ recognition }, { localOpenVocabulary, localNoiseSuppression }) {
    const words = localOpenVocabulary ? "English, and the sentences of the agents" : "the sentences of the agents";
    return describeSpeech(recognition, `${words}, on this machine${localNoiseSuppression ? ", without noise" : ""}`);
  },
  synthesis: ({ synthesis }) => describeSpeech(synthesis, "a voice on this machine"),
  languageModel({ languageModel }) {
    if (languageModel.kind === "own") return ["real", languageModel.module];
    if (languageModel.kind === "local") return ["local", "the rules in the catalog"];
    return ["real", `${languageModel.deployment} at ${languageModel.endpoint}`];
  },
  realtimeModel: ({ realtimeModel }) =>
    realtimeModel.kind === "none" || (realtimeModel.kind === "voice-live" && realtimeModel.isEmulated)
      ? ["local", "emulator"]
      : ["real", describeRealtime(realtimeModel)],
  calls: ({ calls }) =>
    calls.kind === "none" || calls.isEmulated
      ? ["local", `${calls.kind === "twilio" ? "Twilio's emulator" : "emulator"} with a simulated phone`]
      : ["real", calls.kind === "twilio" ? "Twilio" : addressOf(calls.access, "communication service")],
  liveRelay: ({ liveRelay }) =>
    liveRelay.kind === "web-pubsub"
      ? ["real", addressOf(liveRelay.access, "Web PubSub")]
      : ["off", "dashboards connect to the service itself"],
  archive: ({ archive }) =>
    archive.kind === "cosmos" ? ["real", archive.endpoint] : ["off", "conversations end with their life span"],
  recordings({ recordings }, { recordingEnabled }) {
    if (!recordingEnabled) return ["off", "only where a call asks for one"];
    if (recordings.kind === "blob")
      return ["real", `${recordings.container} at ${addressOf(recordings.access, "Blob storage")}`];
    return recordings.kind === "folder" ? ["local", `folder ${recordings.dir}`] : ["off", "there is no storage"];
  },
};

function describeSpeech(part: SpeechPart, onThisMachine: string): readonly [Kind, string] {
  if (part.kind === "local") return ["local", onThisMachine];
  if (part.kind === "own") return ["real", part.module];
  if (part.kind === "model") return ["real", `the voice in ${part.dir}, on this machine`];
  if (part.kind === "openai") return ["real", `${part.model} at ${part.baseUrl}`];
  const { location } = part;
  return ["real", location.kind === "host" ? location.url : `region ${location.region}`];
}

function describeRealtime(part: Exclude<Parts["realtimeModel"], { readonly kind: "none" }>): string {
  if (part.kind === "own") return part.module;
  return `${part.model} at ${part.kind === "openai" ? part.baseUrl : part.endpoint}`;
}

function addressOf(access: CloudAccess, service: string): string {
  return access.kind === "endpoint" ? access.endpoint : `${service} by connection string`;
}

/**
 * How a provider outside the repository is defined: a module exports the result of one of these functions, and a setting names the module.
 * The service creates the provider when it starts, and closes it when it stops.
 */
import type { LanguageModel } from "./ports/language-model.ts";
import type { RealtimeModel } from "./ports/realtime-model.ts";
import type { Recogniser } from "./ports/recogniser.ts";
import type { Synthesiser } from "./ports/synthesiser.ts";
import type { CreateVoiceActivityDetector } from "./ports/voice-activity.ts";

/** Messages are constant sentences. Personal data does not belong in a log; attributes are single words, never whole texts. */
export interface ProviderLog {
  info(message: string, attributes?: Readonly<Record<string, number | boolean | string>>): void;
  warn(message: string, attributes?: Readonly<Record<string, number | boolean | string>>): void;
}

/** What the service makes available to a provider. The provider's own settings and keys are in `process.env`. */
export interface ProviderTools {
  readonly log: ProviderLog;
  /** The service's own speech detector, for a recogniser that transcribes one segment of audio at a time. */
  readonly createVoiceActivityDetector: CreateVoiceActivityDetector;
}

/** The port that each kind of provider implements, by the name of the kind. */
export interface PartsByKind {
  readonly recogniser: Recogniser;
  readonly synthesiser: Synthesiser;
  readonly "language-model": LanguageModel;
  readonly "realtime-model": RealtimeModel;
}

export type ProviderKind = keyof PartsByKind;

export interface ProviderDefinition<Kind extends ProviderKind> {
  /** Used in readiness reports and in the log. */
  readonly name: string;
  /** Called once. If it rejects, the start fails with that message. */
  create(tools: ProviderTools): PartsByKind[Kind] | Promise<PartsByKind[Kind]>;
}

export interface DefinedProvider<Kind extends ProviderKind> extends ProviderDefinition<Kind> {
  readonly kind: Kind;
}

export function defineRecogniser(definition: ProviderDefinition<"recogniser">): DefinedProvider<"recogniser"> {
  return { ...definition, kind: "recogniser" };
}

export function defineSynthesiser(definition: ProviderDefinition<"synthesiser">): DefinedProvider<"synthesiser"> {
  return { ...definition, kind: "synthesiser" };
}

export function defineLanguageModel(
  definition: ProviderDefinition<"language-model">,
): DefinedProvider<"language-model"> {
  return { ...definition, kind: "language-model" };
}

export function defineRealtimeModel(
  definition: ProviderDefinition<"realtime-model">,
): DefinedProvider<"realtime-model"> {
  return { ...definition, kind: "realtime-model" };
}

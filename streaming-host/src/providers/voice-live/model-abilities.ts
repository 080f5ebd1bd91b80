/**
 * Which of a session's settings a model accepts. Some of this is documented (docs/vendors/voice-live.md); the rest is
 * learnt when the service refuses a setting: a conversation can do without these, and must not end because of them.
 */

import type { RealtimeSettings } from "@voice/provider-kit/ports/realtime-model";
import { RefusedValues } from "../refused-values.ts";

/** By the name under which the service refuses them. */
export const optionalParts = [
  "phrase_list",
  "output_audio_timestamp_types",
  "temperature",
  "input_audio_noise_reduction",
  "input_audio_echo_cancellation",
] as const;
export type OptionalPart = (typeof optionalParts)[number];

/** These models hear the caller's audio themselves, without a transcriber that phrases could bias. */
const hearsItself = /realtime|phi-?4-?mm/i;
const realtimeTemperature = { least: 0.6, most: 1.2 };

export class ModelAbilities {
  readonly #hearsItself: boolean;
  readonly #refused = new RefusedValues<OptionalPart>();

  constructor(model: string) {
    this.#hearsItself = hearsItself.test(model);
  }

  takes(part: OptionalPart, settings: RealtimeSettings): boolean {
    if (part === "phrase_list" && this.#hearsItself) return false;
    return !this.#refused.has(part, valueOf(part, settings));
  }

  /** Omits this value of the setting from every session from now on. */
  leaveOut(part: OptionalPart, settings: RealtimeSettings): void {
    this.#refused.add(part, valueOf(part, settings));
  }

  /** The nearest value that the model accepts. */
  temperature(wanted: number): number {
    if (!this.#hearsItself) return wanted;
    return Math.min(Math.max(wanted, realtimeTemperature.least), realtimeTemperature.most);
  }
}

/** What a refusal of the part is about. The times of words are the voice's. */
function valueOf(part: OptionalPart, settings: RealtimeSettings): unknown {
  return {
    phrase_list: settings.phrases,
    output_audio_timestamp_types: settings.voice,
    temperature: settings.temperature,
    input_audio_noise_reduction: settings.noiseSuppression,
    input_audio_echo_cancellation: settings.echoCancellation,
  }[part];
}

/** The optional setting that a refusal is about. The service names it in `param`, or only in its message. */
export function partRefusedIn(param: string | undefined, message: string | undefined): OptionalPart | undefined {
  return optionalParts.find((part) => (param ?? message)?.includes(part));
}

export function isOptionalPart(part: string): part is OptionalPart {
  return optionalParts.some((name) => name === part);
}

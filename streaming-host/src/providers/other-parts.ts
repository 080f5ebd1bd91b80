/** What a realtime session has in place of a part of its settings that a service refuses, or that fails. */
import { isPlainObject } from "@voice/shared/platform/plain-object";
import type { RealtimeDialect } from "@voice/provider-kit/realtime-protocol/dialect";

import type { WireObject } from "@voice/provider-kit/realtime-protocol/wire-object";

/** In the order of preference. `named`: by a setting. */
export function transcriptionModels(named: string | undefined, known: readonly string[]): readonly string[] {
  return [...new Set([named ?? [], known].flat())];
}

/** Another model that transcribes, and turns that end by loudness where they cannot end by meaning. */
export function otherPart(
  { transcription, turnDetection }: RealtimeDialect["parts"],
  models: readonly string[],
): (part: string, value: unknown) => WireObject | undefined {
  return (part, value) => {
    if (!isPlainObject(value)) return undefined;
    if (part === transcription) return otherTranscription(value, models);
    if (part !== turnDetection || value["type"] === "server_vad") return undefined;
    // Only detection by meaning has these: OpenAI's the first, Azure's the second.
    const { eagerness: _ofOpenAi, languages: _ofAzure, ...detection } = value;
    return { ...detection, type: "server_vad" };
  };
}

/** The next model; undefined after the last. Phrases and further languages are for the first: the others refuse them. */
function otherTranscription(
  { model, language, languages }: WireObject,
  models: readonly string[],
): WireObject | undefined {
  const next = models[models.findIndex((name) => name === model) + 1];
  if (next === undefined) return undefined;
  const [first]: readonly unknown[] = Array.isArray(languages) ? languages : [];
  const spoken = typeof language === "string" ? language.split(",", 1)[0] : first;
  return { model: next, ...(spoken !== undefined && { language: spoken }) };
}

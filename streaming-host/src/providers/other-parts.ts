/** The substitute for a part of a realtime session's settings that a service rejects, or that fails. */
import { isPlainObject } from "@voice/shared/platform/plain-object";
import type { RealtimeDialect } from "@voice/provider-kit/realtime-protocol/dialect";
import type { WireObject } from "@voice/provider-kit/realtime-protocol/wire-object";

/** In the order of preference. `named`: the model that a setting names. */
export function transcriptionModels(named: string | undefined, known: readonly string[]): readonly string[] {
  return [...new Set(named === undefined ? known : [named, ...known])];
}

/** Another transcription model, and turns that end by loudness if they cannot end by meaning. */
export function otherPart(
  { transcription, turnDetection }: RealtimeDialect["parts"],
  models: readonly string[],
): (part: string, value: unknown) => WireObject | undefined {
  return (part, value) => {
    if (!isPlainObject(value)) return undefined;
    if (part === transcription) return otherTranscription(value, models);
    if (part !== turnDetection || value["type"] === "server_vad") return undefined;
    // Only semantic detection has these: OpenAI's the first, Azure's the second.
    const { eagerness: _ofOpenAi, languages: _ofAzure, ...detection } = value;
    return { ...detection, type: "server_vad" };
  };
}

/**
 * The next model; undefined after the last. Only the first model gets phrases and several languages. The others get the language if there is
 * only one, and otherwise identify it themselves.
 */
function otherTranscription(
  { model, language, languages }: WireObject,
  models: readonly string[],
): WireObject | undefined {
  const next = models[models.findIndex((name) => name === model) + 1];
  if (next === undefined) return undefined;
  const [spoken, ...more]: readonly unknown[] =
    typeof language === "string" ? language.split(",") : Array.isArray(languages) ? languages : [];
  return { model: next, ...(spoken !== undefined && more.length === 0 && { language: spoken }) };
}

/** Converts our settings into the `session` of a `session.update`. */
import { VoiceError } from "@voice/shared/platform/errors";
import type { RealtimeSettings, RealtimeTurnDetection } from "@voice/provider-kit/ports/realtime-model";
import type { Voice } from "@voice/provider-kit/ports/synthesiser";
import type { WireObject } from "@voice/provider-kit/realtime-protocol/wire-object";
import { abilitiesOf } from "@voice/provider-kit/voices/voice-abilities";
import { hasNativeVoices, hearsCallers, isOfModel } from "./model-kinds.ts";

/** The transcription model that accepts several languages separated by commas and detects the one that is spoken (API reference, `language`). */
export const azureSpeech = "azure-speech";
/** API reference 2026-07-15, `phrase_list`. */
const takesPhrases = /^(?:azure-speech|mai-transcribe.*)$/;

const outputFormats: Readonly<Record<number, string>> = {
  8_000: "pcm16_8000hz",
  16_000: "pcm16_16000hz",
  24_000: "pcm16",
};

/** The service accepts 1 to 4096 (API reference, `max_response_output_tokens`). */
const mostOutputTokens = 4_096;
const realtimeTemperature = { least: 0.6, most: 1.2 };
/** API reference, `RealtimeAzureSemanticVADMultilingual`, `languages`. English has a model of its own. */
const semanticLanguages = new Set(["es", "fr", "it", "de", "ja", "pt", "zh", "ko", "hi"]);

export interface VoiceLiveSession {
  readonly model: string;
  readonly transcriptionModel: string;
}

/** Checked before a connection is opened in vain. */
export function assertSpeakable({ sampleRateHz }: RealtimeSettings): void {
  if (sampleRateHz in outputFormats) return;
  throw new VoiceError("audio_format_unsupported", `the realtime model does not speak at ${sampleRateHz} Hz`);
}

export function toSessionUpdate(
  settings: RealtimeSettings,
  { model, transcriptionModel }: VoiceLiveSession,
): WireObject {
  const voice = toVoice(settings.voice, model);
  const {
    sampleRateHz,
    language,
    candidateLanguages = [],
    phrases,
    temperature,
    maxOutputTokens,
    reasoningEffort,
    parallelToolCalls,
  } = settings;
  const spoken = [...new Set([language, ...candidateLanguages])];
  return {
    modalities: ["text", "audio"],
    instructions: settings.instructions,
    voice,
    input_audio_format: "pcm16",
    input_audio_sampling_rate: sampleRateHz,
    output_audio_format: outputFormats[sampleRateHz],
    // The models' own voices have no word timings.
    ...(!isOfModel(voice) &&
      abilitiesOf(settings.voice.name).hasWordTimes && { output_audio_timestamp_types: ["word"] }),
    input_audio_transcription: {
      model: transcriptionModel,
      // Other models find out by themselves what is spoken, unless they are told one language.
      ...(transcriptionModel === azureSpeech ? { language: spoken.join(",") } : spoken.length === 1 && { language }),
      // Rejected for models that receive audio themselves (how-to, "Phrase list").
      ...(phrases.length > 0 &&
        takesPhrases.test(transcriptionModel) &&
        !hearsCallers(model) && { phrase_list: phrases }),
    },
    turn_detection: toTurnDetection(settings.turnDetection, spoken),
    input_audio_noise_reduction: settings.noiseSuppression ? { type: "azure_deep_noise_suppression" } : null,
    input_audio_echo_cancellation: settings.echoCancellation ? { type: "server_echo_cancellation" } : null,
    tools: settings.tools.map(({ name, description, parameters }) => ({
      type: "function",
      name,
      description,
      parameters,
    })),
    tool_choice: "auto",
    ...(temperature !== undefined && { temperature: acceptableTemperature(temperature, model) }),
    ...(maxOutputTokens !== undefined && { max_response_output_tokens: Math.min(maxOutputTokens, mostOutputTokens) }),
    ...(reasoningEffort !== undefined && { reasoning_effort: reasoningEffort }),
    ...(parallelToolCalls !== undefined && { parallel_tool_calls: parallelToolCalls }),
  };
}

/** Models that receive audio themselves accept a temperature from 0.6 to 1.2. */
function acceptableTemperature(temperature: number, model: string): number {
  if (!hearsCallers(model)) return temperature;
  return Math.min(Math.max(temperature, realtimeTemperature.least), realtimeTemperature.most);
}

/** The names of Azure's voices contain a locale (`en-US-AvaNeural`); the models' own are plain words (`alloy`, `ava`). */
export function toVoice(voice: Voice, model: string): WireObject {
  const { name, style, rate, pitch, endpointId, personalModel } = voice;
  const prosody = { ...(rate !== undefined && { rate }), ...(pitch !== undefined && { pitch }) };
  if (personalModel !== undefined) return { type: "azure-personal", name, model: personalModel, ...prosody };
  if (endpointId === undefined && !name.includes("-"))
    return { type: hasNativeVoices(model) ? "azure-realtime-native" : "openai", name };
  const { takesStyle, takesProsody } = abilitiesOf(name);
  return {
    ...(endpointId === undefined ? { type: "azure-standard" } : { type: "azure-custom", endpoint_id: endpointId }),
    name,
    ...(takesStyle && style !== undefined && { style }),
    ...(takesProsody && prosody),
  };
}

function toTurnDetection(detection: RealtimeTurnDetection, spoken: readonly string[]): WireObject | null {
  const { kind, silenceMs, interruptsResponse, threshold } = detection;
  if (kind === "manual") return null;
  // The service's default padding before the words is used: a shorter one cuts off first syllables.
  return {
    ...(kind === "semantic" ? semanticDetection(spoken) : { type: "server_vad" }),
    silence_duration_ms: silenceMs,
    create_response: true,
    interrupt_response: interruptsResponse,
    // The service does not know what was played; we do, so we truncate.
    auto_truncate: false,
    ...(threshold !== undefined && { threshold }),
  };
}

/** Chosen by the languages that are spoken. The service detects meaning in these only, and loudness in all. */
function semanticDetection(spoken: readonly string[]): WireObject {
  const languages = [...new Set(spoken.map((locale) => locale.toLowerCase().split("-", 1).join("")))];
  if (languages.every((language) => language === "en")) return { type: "azure_semantic_vad" };
  if (languages.every((language) => language === "en" || semanticLanguages.has(language)))
    return { type: "azure_semantic_vad_multilingual", languages };
  return { type: "server_vad" };
}

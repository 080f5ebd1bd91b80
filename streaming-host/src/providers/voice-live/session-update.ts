/** Converts our settings into the `session` of a `session.update`. */
import { VoiceError } from "@voice/shared/platform/errors";
import type { RealtimeSettings, RealtimeTurnDetection } from "@voice/provider-kit/ports/realtime-model";
import type { Voice } from "@voice/provider-kit/ports/synthesiser";
import type { ModelAbilities } from "./model-abilities.ts";

const outputFormats: Readonly<Record<number, string>> = {
  8_000: "pcm16_8000hz",
  16_000: "pcm16_16000hz",
  24_000: "pcm16",
};

const transcriptionModel = "azure-speech";
/** How much audio before the detected start of speech belongs to the speech. */
const prefixMs = 300;

/** Checked before a connection is made in vain. */
export function assertSpeakable({ sampleRateHz }: RealtimeSettings): void {
  if (sampleRateHz in outputFormats) return;
  throw new VoiceError("audio_format_unsupported", `the realtime model does not speak at ${sampleRateHz} Hz`);
}

export function toSessionUpdate(
  settings: RealtimeSettings,
  abilities: ModelAbilities,
): Readonly<Record<string, unknown>> {
  const voice = toVoice(settings.voice);
  const { sampleRateHz, language, phrases, temperature, maxOutputTokens } = settings;
  return {
    modalities: ["text", "audio"],
    instructions: settings.instructions,
    voice,
    input_audio_format: "pcm16",
    input_audio_sampling_rate: sampleRateHz,
    output_audio_format: outputFormats[sampleRateHz],
    // The models' own voices have no word timings.
    ...(voice["type"] !== "openai" &&
      abilities.takes("output_audio_timestamp_types", settings) && { output_audio_timestamp_types: ["word"] }),
    input_audio_transcription: {
      model: transcriptionModel,
      language,
      ...(phrases.length > 0 && abilities.takes("phrase_list", settings) && { phrase_list: phrases }),
    },
    turn_detection: toTurnDetection(settings.turnDetection),
    ...(abilities.takes("input_audio_noise_reduction", settings) && {
      input_audio_noise_reduction: settings.noiseSuppression ? { type: "azure_deep_noise_suppression" } : null,
    }),
    ...(abilities.takes("input_audio_echo_cancellation", settings) && {
      input_audio_echo_cancellation: settings.echoCancellation ? { type: "server_echo_cancellation" } : null,
    }),
    tools: settings.tools.map(({ name, description, parameters }) => ({
      type: "function",
      name,
      description,
      parameters,
    })),
    tool_choice: "auto",
    ...(temperature !== undefined &&
      abilities.takes("temperature", settings) && { temperature: abilities.temperature(temperature) }),
    ...(maxOutputTokens !== undefined && { max_response_output_tokens: maxOutputTokens }),
  };
}

/** The names of Azure's voices contain a locale (`en-US-AvaNeural`); the models' own are plain words (`alloy`). */
function toVoice({ name, style, rate, pitch, endpointId, personalModel }: Voice): Readonly<Record<string, unknown>> {
  if (personalModel !== undefined) return { type: "azure-personal", name, model: personalModel };
  if (endpointId === undefined && !name.includes("-")) return { type: "openai", name };
  return {
    ...(endpointId === undefined ? { type: "azure-standard" } : { type: "azure-custom", endpoint_id: endpointId }),
    name,
    ...(style !== undefined && { style }),
    ...(rate !== undefined && { rate }),
    ...(pitch !== undefined && { pitch }),
  };
}

function toTurnDetection(detection: RealtimeTurnDetection): Readonly<Record<string, unknown>> | null {
  const { kind, silenceMs, interruptsResponse, threshold } = detection;
  if (kind === "manual") return null;
  return {
    type: kind === "semantic" ? "azure_semantic_vad" : "server_vad",
    prefix_padding_ms: prefixMs,
    silence_duration_ms: silenceMs,
    create_response: true,
    interrupt_response: interruptsResponse,
    // The service does not know what was played; we do, so we truncate.
    auto_truncate: false,
    ...(threshold !== undefined && { threshold }),
  };
}

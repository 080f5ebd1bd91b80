/** Our settings as the `session` of a `session.update`. */
import { VoiceError } from "@voice/shared/platform/errors";
import type { RealtimeSettings, RealtimeTurnDetection } from "../ports/realtime-model.ts";
import type { Voice } from "../ports/synthesiser.ts";

const outputFormats: Readonly<Record<number, string>> = {
  8_000: "pcm16_8000hz",
  16_000: "pcm16_16000hz",
  24_000: "pcm16",
};

const transcriptionModel = "azure-speech";
/** How much of what came before the detected start of speech still belongs to it. */
const prefixMs = 300;

/** Asked before a connection is made for nothing. */
export function assertSpeakable({ sampleRateHz }: RealtimeSettings): void {
  if (sampleRateHz in outputFormats) return;
  throw new VoiceError("audio_format_unsupported", `the realtime model does not speak at ${sampleRateHz} Hz`);
}

export function toSessionUpdate(settings: RealtimeSettings): Readonly<Record<string, unknown>> {
  const { sampleRateHz, language, phrases, temperature, maxOutputTokens } = settings;
  return {
    modalities: ["text", "audio"],
    instructions: settings.instructions,
    voice: toVoice(settings.voice),
    input_audio_format: "pcm16",
    input_audio_sampling_rate: sampleRateHz,
    output_audio_format: outputFormats[sampleRateHz],
    output_audio_timestamp_types: ["word"],
    input_audio_transcription: {
      model: transcriptionModel,
      language,
      ...(phrases.length > 0 && { phrase_list: phrases }),
    },
    turn_detection: toTurnDetection(settings.turnDetection),
    input_audio_noise_reduction: settings.noiseSuppression ? { type: "azure_deep_noise_suppression" } : null,
    input_audio_echo_cancellation: settings.echoCancellation ? { type: "server_echo_cancellation" } : null,
    tools: settings.tools.map(({ name, description, parameters }) => ({
      type: "function",
      name,
      description,
      parameters,
    })),
    tool_choice: "auto",
    ...(temperature !== undefined && { temperature }),
    ...(maxOutputTokens !== undefined && { max_response_output_tokens: maxOutputTokens }),
  };
}

/** Azure's voices carry a locale in their name (`en-US-AvaNeural`); the model's own are plain words (`alloy`). */
function toVoice({ name, style, rate, pitch }: Voice): Readonly<Record<string, unknown>> {
  if (!name.includes("-")) return { type: "openai", name };
  return {
    type: "azure-standard",
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
    // We know what was played, the service does not: we truncate.
    auto_truncate: false,
    ...(threshold !== undefined && { threshold }),
  };
}

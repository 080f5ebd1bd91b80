/** Converts our settings into the `session` of OpenAI's `session.update`. */
import type { RealtimeSettings, RealtimeTurnDetection } from "@voice/provider-kit/ports/realtime-model";
import type { WireObject } from "@voice/provider-kit/realtime-protocol/wire-object";
import { relativeChange } from "@voice/provider-kit/voices/sounds-like";
import { standInFor } from "../speech/voices.ts";

/** The protocol's rate; audio at other rates is resampled on our side. */
export const wireRateHz = 24_000;

const mostOutputTokens = 4_096;
const speeds = { slowest: 0.25, fastest: 1.5 };
/** Fewer voices than the speech endpoint has. */
const realtimeVoices = new Set("alloy ash ballad coral echo sage shimmer verse marin cedar".split(" "));

export interface SessionContext {
  readonly model: string;
  readonly transcriptionModel: string;
  /**
   * Whether the server can detect the end of a turn by meaning. OpenAI's can. Azure OpenAI accepts `semantic_vad`, but then never reports
   * that somebody speaks, so nobody could interrupt (livekit/agents, pull request 6871); others do not have it.
   */
  readonly hearsMeaning: boolean;
  /** A voice cannot be changed after its first audio, and an update that tries to is rejected as a whole. */
  readonly isFirst: boolean;
}

export function toSession(settings: RealtimeSettings, context: SessionContext): WireObject {
  const { model, transcriptionModel, hearsMeaning, isFirst } = context;
  const { maxOutputTokens, tools, turnDetection, noiseSuppression, voice, reasoningEffort, parallelToolCalls } =
    settings;
  const format = { type: "audio/pcm", rate: wireRateHz };
  const speed = Math.min(Math.max(relativeChange(voice.rate), speeds.slowest), speeds.fastest);
  return {
    type: "realtime",
    model,
    output_modalities: ["audio"],
    instructions: settings.instructions,
    audio: {
      input: {
        format,
        turn_detection: toTurnDetection(turnDetection, hearsMeaning),
        // With a telephone or a headset, the microphone is close to the mouth.
        noise_reduction: noiseSuppression ? { type: "near_field" } : null,
        transcription: toTranscription(settings, transcriptionModel),
      },
      output: {
        format,
        ...(isFirst && { voice: toVoice(voice.name) }),
        ...(speed !== 1 && { speed }),
      },
    },
    tools: tools.map(({ name, description, parameters }) => ({ type: "function", name, description, parameters })),
    tool_choice: "auto",
    ...(maxOutputTokens !== undefined && { max_output_tokens: Math.min(maxOutputTokens, mostOutputTokens) }),
    ...(reasoningEffort !== undefined && { reasoning: { effort: reasoningEffort } }),
    ...(parallelToolCalls !== undefined && { parallel_tool_calls: parallelToolCalls }),
  };
}

/** Only these accept several languages and keywords (`openai`, `AudioTranscription`). */
const takesKeywords = /^gpt-(live-)?transcribe/;

function toTranscription({ language, candidateLanguages = [], phrases }: RealtimeSettings, model: string): WireObject {
  const languages = [...new Set([language, ...candidateLanguages].map((locale) => locale.split("-", 1)[0]))];
  // The others find out by themselves what is spoken, unless they are told one language.
  if (!takesKeywords.test(model)) return { model, ...(languages.length === 1 && { language: languages[0] }) };
  return { model, languages, ...(phrases.length > 0 && { keywords: phrases }) };
}

function toVoice(name: string): string | WireObject {
  if (name.startsWith("voice_")) return { id: name };
  return realtimeVoices.has(name) ? name : standInFor(name);
}

function toTurnDetection(detection: RealtimeTurnDetection, hearsMeaning: boolean): WireObject | null {
  const { kind, silenceMs, interruptsResponse, threshold } = detection;
  if (kind === "manual") return null;
  const answers = { create_response: true, interrupt_response: interruptsResponse };
  if (kind === "semantic" && hearsMeaning) return { type: "semantic_vad", eagerness: "auto", ...answers };
  return {
    type: "server_vad",
    silence_duration_ms: silenceMs,
    ...answers,
    ...(threshold !== undefined && { threshold }),
  };
}

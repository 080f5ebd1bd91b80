/** Converts our settings into the `session` of OpenAI's `session.update`. */
import type { RealtimeSettings, RealtimeTurnDetection } from "@voice/provider-kit/ports/realtime-model";
import type { WireObject } from "@voice/provider-kit/realtime-protocol/dialect";
import { realtimeTranscriptionModel } from "@voice/shared/costs/billed-names";
import { relativeChange } from "@voice/provider-kit/voices/sounds-like";
import type { RefusedValues } from "../../refused-values.ts";
import { standInFor } from "../speech/voices.ts";

/** Settings that a conversation can do without, by the name under which the service refuses them. */
export const optionalParts = ["noise_reduction", "keywords", "speed", "transcription"] as const;
export type OptionalPart = (typeof optionalParts)[number];

/** What a refusal of the part is about. */
export function valueOf(part: OptionalPart, settings: RealtimeSettings): unknown {
  const { noiseSuppression, phrases, voice, language } = settings;
  return { noise_reduction: noiseSuppression, keywords: phrases, speed: voice.rate, transcription: language }[part];
}

/** The protocol's rate; audio at other rates is resampled on our side. */
export const wireRateHz = 24_000;

/** How much audio before the detected start of speech belongs to the speech. */
const prefixMs = 300;
const mostOutputTokens = 4_096;
const speeds = { slowest: 0.25, fastest: 1.5 };
/** Fewer voices than the speech endpoint has. */
const realtimeVoices = new Set("alloy ash ballad coral echo sage shimmer verse marin cedar".split(" "));

export interface SessionContext {
  readonly model: string;
  /**
   * Whether the server knows by what the caller says that they have finished. OpenAI's does. Azure OpenAI accepts `semantic_vad`, and then
   * never reports that somebody speaks, so that nobody could interrupt (livekit/agents, pull request 6871); others do not have it.
   */
  readonly hearsMeaning: boolean;
  /** A voice cannot be changed once it was heard, and an update that tries to is refused as a whole. */
  readonly isFirst: boolean;
  readonly refused: RefusedValues<OptionalPart>;
}

export function toSession(
  settings: RealtimeSettings,
  { model, hearsMeaning, isFirst, refused }: SessionContext,
): WireObject {
  const { maxOutputTokens, tools, turnDetection, noiseSuppression, voice } = settings;
  const takes = (part: OptionalPart): boolean => !refused.has(part, valueOf(part, settings));
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
        ...(takes("noise_reduction") && {
          // With a telephone or a headset, the microphone is close to the mouth.
          noise_reduction: noiseSuppression ? { type: "near_field" } : null,
        }),
        ...(takes("transcription") && { transcription: toTranscription(settings, takes("keywords")) }),
      },
      output: {
        format,
        ...(isFirst && { voice: toVoice(voice.name) }),
        ...(speed !== 1 && takes("speed") && { speed }),
      },
    },
    tools: tools.map(({ name, description, parameters }) => ({ type: "function", name, description, parameters })),
    tool_choice: "auto",
    ...(maxOutputTokens !== undefined && { max_output_tokens: Math.min(maxOutputTokens, mostOutputTokens) }),
  };
}

function toTranscription({ language, phrases }: RealtimeSettings, takesKeywords: boolean): WireObject {
  return {
    model: realtimeTranscriptionModel,
    languages: [language.split("-", 1)[0]],
    ...(phrases.length > 0 && takesKeywords && { keywords: phrases }),
  };
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
    prefix_padding_ms: prefixMs,
    silence_duration_ms: silenceMs,
    ...answers,
    ...(threshold !== undefined && { threshold }),
  };
}

/**
 * How far the reported positions of speech extend beyond the words. By the vendors' definitions `audio_start_ms` includes the padding before the
 * words and `audio_end_ms` the silence that ended the turn (`@azure/ai-voicelive`, `ServerEventInputAudioBufferSpeechStarted` and
 * `…SpeechStopped`; `openai`, `InputAudioBufferSpeechStartedEvent` and `…StoppedEvent`).
 */
import type { WireObject } from "./wire-object.ts";
import type { TurnTimes } from "./parsed-event.ts";

/** Reads a `turn_detection`. `ownPadding`: the service's default padding for this type of detection, if it specifies none. */
export function readPadding(detection: WireObject, ownPadding: (type: unknown) => number | undefined): TurnTimes {
  const { type, prefix_padding_ms: prefix, silence_duration_ms: silence } = detection;
  return {
    prefixMs: typeof prefix === "number" ? prefix : ownPadding(type),
    silenceMs: typeof silence === "number" ? silence : undefined,
  };
}

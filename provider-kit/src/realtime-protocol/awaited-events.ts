/**
 * The events for which a caller waits: speech started or stopped, a response started, and its audio. These are validated by hand, unlike
 * all others: each comes after a pause, when the code of zod is no longer in the processor's caches, and a schema then takes 16 to 20 µs,
 * where these checks take 2 (docs/benchmarks.md, "Where the time goes").
 */
import { samplesFromBase64 } from "@voice/provider-kit/audio/pcm16";
import type { ParsedEvent } from "./parsed-event.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** Undefined if a field is missing or has another type. */
type AwaitedReader = (event: Fields) => ParsedEvent | undefined;

/** The reader of the event checks the fields. */
export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}

export const awaitedEvents: Readonly<Record<string, AwaitedReader>> = {
  "input_audio_buffer.speech_started": ({ item_id: itemId, audio_start_ms: atMs }) =>
    typeof itemId === "string" && isMs(atMs) ? { type: "speech-started", itemId, atMs } : undefined,
  "input_audio_buffer.speech_stopped": ({ item_id: itemId, audio_end_ms: atMs }) =>
    typeof itemId === "string" && isMs(atMs) ? { type: "speech-stopped", itemId, atMs } : undefined,
  "response.created": ({ response }) =>
    isFields(response) && typeof response["id"] === "string"
      ? { type: "response-started", responseId: response["id"] }
      : undefined,
  "response.audio.delta": ({ response_id: responseId, item_id: itemId, delta }) =>
    typeof responseId === "string" && typeof itemId === "string" && typeof delta === "string"
      ? toAudio(responseId, itemId, delta)
      : undefined,
};

/** A number in JSON may be too large, which makes it infinite. */
function isMs(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

function toAudio(responseId: string, itemId: string, delta: string): ParsedEvent {
  const samples = samplesFromBase64(delta);
  if (Buffer.byteLength(delta, "base64") % 2 === 0) return { type: "audio", responseId, itemId, samples };
  const firstByte = Buffer.from(delta, "base64").at(-1);
  return { type: "split-audio", responseId, itemId, samples, ...(firstByte !== undefined && { firstByte }) };
}

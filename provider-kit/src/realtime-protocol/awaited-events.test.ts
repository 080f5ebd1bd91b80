import { describe, expect, it } from "vitest";
import { base64FromSamples } from "../audio/pcm16.ts";
import { awaitedEvents } from "./awaited-events.ts";

const samples = Int16Array.of(1, -2, 30_000);
const delta = base64FromSamples(samples);

const known = [
  {
    name: "input_audio_buffer.speech_started",
    event: { item_id: "i", audio_start_ms: 120 },
    means: { type: "speech-started", itemId: "i", atMs: 120 },
  },
  {
    name: "input_audio_buffer.speech_stopped",
    event: { item_id: "i", audio_end_ms: 0 },
    means: { type: "speech-stopped", itemId: "i", atMs: 0 },
  },
  {
    name: "response.created",
    event: { response: { id: "r" } },
    means: { type: "response-started", responseId: "r" },
  },
  {
    name: "response.audio.delta",
    event: { response_id: "r", item_id: "i", delta },
    means: { type: "audio", responseId: "r", itemId: "i", samples },
  },
] as const;

/** What services have sent, or may send by mistake, in a field's place. */
const wrong = [undefined, null, 7, "seven", true, [], {}, Number.POSITIVE_INFINITY];

describe.each(known)("$name", ({ name, event, means }) => {
  it("is read with what it needs, whatever else is in it", () => {
    expect(awaitedEvents[name]?.({ type: name, event_id: "e", more: [1], ...event })).toEqual(means);
  });

  it.each(Object.entries(event))("is not known where its %s is missing or of another type", (field, right) => {
    const others = wrong.filter((value) => typeof value !== typeof right || value === Number.POSITIVE_INFINITY);
    for (const value of others) expect(awaitedEvents[name]?.({ ...event, [field]: value })).toBeUndefined();
  });
});

it("keeps the first byte of a sample of which the second is in the next message", () => {
  const bytes = Buffer.from(samples.buffer, 0, 5);
  const event = { response_id: "r", item_id: "i", delta: bytes.toString("base64") };
  expect(awaitedEvents["response.audio.delta"]?.(event)).toEqual({
    type: "split-audio",
    responseId: "r",
    itemId: "i",
    samples: samples.subarray(0, 2),
    firstByte: bytes.at(-1),
  });
});

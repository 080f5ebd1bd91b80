import { describe, expect, it } from "vitest";
import { base64FromSamples } from "../audio/pcm16.ts";
import { parseServerEvent } from "./server-events.ts";

const names = { betaName: (name: string) => name, partRefusedIn: () => undefined };
const parse = (text: string) => parseServerEvent(text, names);

const samples = Int16Array.from({ length: 4800 }, (_, index) => (index * 7919) % 32_768);
const delta = base64FromSamples(samples);
const audio = { type: "response.audio.delta", response_id: "r", item_id: "i", output_index: 0, content_index: 0 };
const heard = { type: "audio", responseId: "r", itemId: "i", samples };

describe("long audio of a realtime service", () => {
  it.each([
    ["with its delta last", JSON.stringify({ ...audio, delta })],
    ["with its delta first", JSON.stringify({ delta, ...audio })],
    ["spread over lines", JSON.stringify({ ...audio, delta }, undefined, 2)],
    ["with escapes in its base64", JSON.stringify({ ...audio, delta }).replaceAll("/", "\\/")],
  ])("is read %s", (_name, text) => {
    expect(parse(text)).toEqual(heard);
  });

  it("is not mistaken for an event's own delta if it is somewhere within", () => {
    const text = JSON.stringify({ ...audio, part: { delta } });
    expect(parse(text)).toMatchObject({ type: "unknown", name: "response.audio.delta" });
  });

  it("is not known if the message is cut off", () => {
    expect(parse(JSON.stringify({ ...audio, delta }).slice(0, -3))).toMatchObject({ type: "unknown" });
    expect(parse(JSON.stringify({ ...audio, delta }).slice(0, 9000))).toMatchObject({ type: "unknown" });
  });
});

it("reads long text with quotes and what looks like a delta", () => {
  const said = `He wrote {"delta":"a"} ${"and so on ".repeat(200)}`;
  const text = { type: "response.audio_transcript.delta", response_id: "r", item_id: "i", delta: said };
  expect(parse(JSON.stringify(text))).toMatchObject({ type: "agent-text", delta: said });
});

it.each(["response_cancel_not_active", "input_audio_buffer_commit_empty"])(
  "takes %s for no error, because the service has already done what was asked",
  (code) => {
    const error = { type: "invalid_request_error", code, message: "too late" };
    expect(parse(JSON.stringify({ type: "error", error }))).toEqual({ type: "nothing" });
  },
);

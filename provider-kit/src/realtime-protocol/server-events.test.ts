import { describe, expect, it } from "vitest";
import { base64FromSamples } from "../audio/pcm16.ts";
import { parseServerEvent } from "./server-events.ts";

const names = { betaName: (name: string) => name };
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

describe("the end of a response", () => {
  const done = (response: object) =>
    parse(JSON.stringify({ type: "response.done", response: { id: "r", ...response } }));

  it("says why the response failed", () => {
    const error = { type: "tokens", code: "rate_limit_exceeded", message: "Slow down, Ms Miller." };
    const failed = done({ status: "failed", status_details: { type: "failed", error } });
    expect(failed).toMatchObject({ status: "failed", error: { code: "rate_limited" } });
    expect(JSON.stringify(failed)).not.toContain("Miller");
    expect(done({ status: "failed", status_details: { error: { type: "server_error" } } })).toMatchObject({
      error: { code: "upstream_unavailable", reason: "the realtime model refused a request (server_error)" },
    });
  });

  it.each([
    { usage: { total_tokens: 5 } },
    { usage: "much" },
    { status: "failed", status_details: "broken" },
    { status: "failed", status_details: { error: 7 } },
  ])("is not missed because of what is not understood: %j", (response) => {
    expect(done(response)).toMatchObject({ type: "response-finished", responseId: "r" });
  });
});

describe("a tool call", () => {
  const item = { id: "i", type: "function_call", call_id: "c", name: "find_order", arguments: "{}" };
  const call = { type: "tool-call", responseId: "r", call: { id: "c", name: "find_order", argumentsJson: "{}" } };

  it("is read from its item where the end of its arguments has no name, as in the protocol's beta", () => {
    const ended = { type: "response.function_call_arguments.done", response_id: "r", call_id: "c", arguments: "{}" };
    expect(parse(JSON.stringify(ended))).toEqual({ type: "nothing" });
    expect(parse(JSON.stringify({ type: "response.output_item.done", response_id: "r", item }))).toEqual(call);
    expect(parse(JSON.stringify({ ...ended, name: "find_order" }))).toEqual(call);
  });

  it("is no item of another kind", () => {
    const message = { type: "response.output_item.done", response_id: "r", item: { id: "i", type: "message" } };
    expect(parse(JSON.stringify(message))).toEqual({ type: "nothing" });
  });
});

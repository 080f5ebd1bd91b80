import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { AudioFirst } from "./audio-first.ts";

const stopped = "input_audio_buffer.speech_stopped";
const committed = "input_audio_buffer.committed";
const added = "conversation.item.added";
const words = "conversation.item.input_audio_transcription.completed";
const begun = "response.created";
const audio = "response.output_audio.delta";
const agentWords = "response.output_audio_transcript.delta";

const event = (type: string): string => JSON.stringify({ event_id: "event_1", type, delta: "A".repeat(9000) });

function rig() {
  const handled: string[] = [];
  const clock = new VirtualClock();
  const events = new AudioFirst((text) => handled.push(text), clock);
  return {
    clock,
    push(...types: readonly string[]): void {
      for (const type of types) events.push(event(type));
    },
    end: () => events.handleWaiting(),
    pushText: (text: string) => events.push(text),
    /** Since the last call. */
    handled: () => handled.splice(0),
  };
}

describe("events of a realtime service that follow closely on each other", () => {
  it("are handled with the answer's beginning before the caller's words", async () => {
    const { handled, push } = rig();
    push(stopped, committed, added, words, begun, "response.output_item.added", "response.content_part.added", audio);
    const answer = [begun, "response.output_item.added", "response.content_part.added", audio];
    expect(handled()).toEqual([stopped, ...answer].map(event));
    await setImmediate();
    expect(handled()).toEqual([committed, added, words].map(event));
  });

  it("wait for an answer that arrives a little later, and for five milliseconds at most", () => {
    const { clock, handled, push } = rig();
    push(words);
    clock.advance(4);
    push(begun);
    expect(handled()).toEqual([begun].map(event));
    clock.advance(1);
    expect(handled()).toEqual([words].map(event));
    push(words, audio);
    expect(handled()).toEqual([audio].map(event));
  });

  it("are otherwise handled in order: the agent's words, the end of an answer and new speech follow the caller's words", () => {
    for (const next of [agentWords, "response.done", "input_audio_buffer.speech_started", "error"]) {
      const { handled, push } = rig();
      push(words, begun, next);
      expect(handled()).toEqual([begun, words, next].map(event));
    }
  });

  it("are all handled before the connection ends", () => {
    const { clock, end, handled, push } = rig();
    push(words, begun);
    end();
    expect(handled()).toEqual([begun, words].map(event));
    clock.advance(5);
    expect(handled()).toEqual([]);
  });

  it("are handled once", async () => {
    const { clock, handled, push } = rig();
    push(words, audio, agentWords);
    await setImmediate();
    clock.advance(5);
    push(words);
    clock.advance(5);
    expect(handled()).toEqual([audio, words, agentWords, words].map(event));
  });

  it("keep their order where an event's type is not near its beginning", () => {
    const { handled, push, pushText } = rig();
    const text = JSON.stringify({ delta: "A".repeat(9000), type: audio });
    push(words);
    pushText(text);
    expect(handled()).toEqual([event(words), text]);
  });
});

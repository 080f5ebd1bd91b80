import { describe, expect, it } from "vitest";
import type { ResponsePayload, ServerMessage, TranscriptPayload } from "./messages.ts";
import { addToTranscript, type Transcript } from "./transcript.ts";

const envelope = { session_id: "s-1", timestamp: "2026-01-01T00:00:00Z" };

function said(text: string, more: Partial<TranscriptPayload> = {}): ServerMessage {
  return { ...envelope, type: "transcript", payload: { text, is_final: true, speaker: "user", ...more } };
}

function answered(text: string, more: Partial<ResponsePayload> = {}): ServerMessage {
  return { ...envelope, type: "response", payload: { text, agent: "desk", turn_id: "t-1", is_final: true, ...more } };
}

const after = (...messages: readonly ServerMessage[]): Transcript => messages.reduce<Transcript>(addToTranscript, []);
const texts = (entries: Transcript): string[] => entries.map(({ speaker, text }) => `${speaker}: ${text}`);

describe("a transcript", () => {
  it("replaces what is recognised so far, and keeps the place of an entry", () => {
    const partial = after(said("I want", { is_final: false }));
    const final = addToTranscript(partial, said("I want to pay"));
    expect(texts(final)).toEqual(["user: I want to pay"]);
    expect(final[0]?.id).toBe(partial[0]?.id);
    expect(texts(addToTranscript(final, said("Now")))).toEqual(["user: I want to pay", "user: Now"]);
  });

  it("joins the pieces of an answer, until the whole of it was heard", () => {
    const open = after(answered("Good", { is_final: false }), answered(" morning.", { is_final: false }));
    expect(open).toMatchObject([{ text: "Good morning.", isFinal: false, agent: "desk" }]);
    expect(addToTranscript(open, answered("Good", { interrupted: true }))).toMatchObject([
      { text: "Good", isFinal: true, isInterrupted: true },
    ]);
  });

  it("has nothing of an answer of which nothing was heard", () => {
    const open = after(said("Hello"), answered("Good", { is_final: false }));
    expect(texts(addToTranscript(open, answered("", { interrupted: true })))).toEqual(["user: Hello"]);
    expect(after(answered(""))).toEqual([]);
  });

  it("puts words that are known late before what began after them", () => {
    const entries = after(
      answered("One moment.", { began_at: "2026-01-01T00:00:02Z" }),
      said("Are you there?", { began_at: "2026-01-01T00:00:01Z" }),
    );
    expect(texts(entries)).toEqual(["user: Are you there?", "agent: One moment."]);
  });

  it("stays the same array where a message says nothing", () => {
    const entries = after(said("Hello"));
    expect(addToTranscript(entries, { ...envelope, type: "pong", payload: {} })).toBe(entries);
  });
});

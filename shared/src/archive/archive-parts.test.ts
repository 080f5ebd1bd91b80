import { describe, expect, it } from "vitest";
import { atOnce } from "../platform/steps.ts";
import { joinConversation, splitConversation } from "./archive-parts.ts";
import type { ArchivedConversation } from "./conversation-archive.ts";

const time = "2026-03-21T10:00:00.000Z";

function conversation(entries: number): ArchivedConversation {
  const of = (at: number) => ({ turn_id: `turn-${at}`, agent: "front-desk", timestamp: time });
  const history = Array.from({ length: entries }, (_, at) => ({
    ...of(at),
    role: "user" as const,
    content: `the ${at}th sentence, which is spoken in “quotes”`,
    interrupted: false,
    cut: null,
  }));
  return {
    session_id: "session-1",
    status: "ended",
    end_reason: "caller_left",
    scenario: "default",
    active_agent: "front-desk",
    conversation_history: history,
    channel: "phone",
    user_email: null,
    streaming_mode: "REALTIME",
    created_at: time,
    last_activity_at: time,
    memory: { name: "Ada" },
    recordings: [],
    cost: null,
    failures: [],
    usage: [],
    turns: Array.from({ length: entries }, (_, at) => ({ ...of(at), marks: { first_audio_ms: 512 }, why: [] })),
    owner: null,
    archived_at: time,
    call_connection_id: null,
  };
}

describe("a conversation in the archive", () => {
  it("is one document, if that is not too long", () => {
    const short = conversation(10);
    expect(atOnce(splitConversation(short))).toEqual({ first: short, rest: [] });
  });

  it("is several documents otherwise, none too long, and whole again when they are joined", () => {
    const long = conversation(500);
    const { first, rest } = atOnce(splitConversation(long, 20_000));
    expect(rest.length).toBeGreaterThan(5);
    for (const part of [first, ...rest]) expect(Buffer.byteLength(JSON.stringify(part))).toBeLessThan(20_100);
    expect(first).toMatchObject({ memory: { name: "Ada" } });
    expect(joinConversation(first, rest)).toEqual(long);
  });
});

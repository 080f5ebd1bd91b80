import { describe, expect, it } from "vitest";

import type { RecordedTranscript } from "../api/service-api.ts";
import type { Entry } from "./conversation-view.ts";
import { playedAt, toTimeline } from "./timeline.ts";

const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 12, 0, second)).toISOString();
const agent = (id: number, text: string, second: number, turnId = `turn-${id}`, name = "front_desk"): Entry => ({
  id,
  at: at(second),
  kind: "agent",
  agent: name,
  turnId,
  text,
  isComplete: true,
  unheard: "",
  isInterrupted: false,
});
const user = (id: number, text: string, second: number, turnId = `turn-${id}`): Entry => ({
  id,
  at: at(second),
  kind: "user",
  text,
  isPending: false,
  turnId,
});
const sentence = (speaker: "caller" | "agent", text: string, startMs: number, endMs: number, turnId: string) => ({
  speaker,
  agent: speaker === "agent" ? "front_desk" : null,
  text,
  start_ms: startMs,
  end_ms: endMs,
  turn_id: turnId,
});
const recorded = (entries: RecordedTranscript["entries"]): RecordedTranscript => ({
  started_at: at(0),
  recordings: [
    { recording_id: "one", start_ms: 0, duration_ms: 20_000 },
    { recording_id: "two", start_ms: 25_000, duration_ms: 10_000 },
  ],
  entries,
});
const details = {
  created_at: at(0),
  last_activity_at: at(30),
  recordings: [
    { recording_id: "one", status: "complete", started_at: at(0), duration_ms: 20_000 },
    { recording_id: "two", status: "complete", started_at: at(100), duration_ms: 10_000 },
  ],
};

describe("the timeline of a conversation", () => {
  it("[TIMELINE-9] puts each utterance where it is in the recording, sentence by sentence", () => {
    const entries = [agent(1, "Hello. How can I help?", 1), user(2, "My card is gone", 5)];
    const timeline = toTimeline({
      entries,
      details,
      recorded: recorded([
        sentence("agent", "Hello.", 1200, 1800, "turn-1"),
        sentence("agent", "How can I help?", 1900, 3000, "turn-1"),
        sentence("caller", "my card is gone", 4000, 5200, "turn-2"),
      ]),
    });
    expect(timeline.entries.get(1)).toMatchObject({
      startMs: 1200,
      endMs: 3000,
      sentences: [
        { text: "Hello.", startMs: 1200 },
        { text: "How can I help?", startMs: 1900 },
      ],
    });
    expect(timeline.entries.get(2)).toMatchObject({ startMs: 4000, sentences: [{ text: "my card is gone" }] });
    expect(playedAt(timeline, 2000)).toMatchObject({ entryId: 1, sentence: 1 });
    expect(playedAt(timeline, 3500)).toMatchObject({ entryId: 1, sentence: 1 });
    expect(playedAt(timeline, 4100)).toMatchObject({ entryId: 2, sentence: 0 });
    expect(playedAt(timeline, 100)).toBeUndefined();
  });

  it("[TIMELINE-9] tells several utterances of one turn apart, and several agents", () => {
    const other = agent(4, "Card team.", 8, "turn-1", "cards");
    const entries = [
      user(1, "one moment", 1, "turn-1"),
      user(2, "my card", 3, "turn-1"),
      agent(3, "Fine.", 6, "turn-1"),
      other,
    ];
    const { entries: placed } = toTimeline({
      entries,
      details,
      recorded: recorded([
        sentence("caller", "one moment", 1000, 1500, "turn-1"),
        sentence("caller", "my card", 3000, 3600, "turn-1"),
        sentence("agent", "Fine.", 6000, 6400, "turn-1"),
        { ...sentence("agent", "Card team.", 8000, 8600, "turn-1"), agent: "cards" },
      ]),
    });
    expect([...placed.values()].map(({ startMs }) => startMs)).toEqual([1000, 3000, 6000, 8000]);
  });

  it("[TIMELINE-9] puts what has no sound of its own by its time, across the silence between two recordings", () => {
    const tool: Entry = {
      id: 1,
      at: at(3),
      kind: "tool",
      name: "check",
      args: {},
      result: {},
      status: "success",
      durationMs: 500,
    };
    const late: Entry = { ...tool, id: 2, at: at(103) };
    const { entries, durationMs } = toTimeline({ entries: [tool, late], details, recorded: recorded([]) });
    expect(entries.get(1)).toMatchObject({ startMs: 3000, endMs: 3500, sentences: [] });
    expect(entries.get(2)).toMatchObject({ startMs: 28_000 });
    expect(durationMs).toBe(35_000);
  });

  it("[TIMELINE-9] begins with the conversation where nothing is recorded, and goes on with it", () => {
    const timeline = toTimeline({
      entries: [user(1, "hello", 2)],
      details: { ...details, recordings: [], last_activity_at: at(2) },
      recorded: undefined,
      nowMs: Date.parse(at(60)),
    });
    expect(timeline.entries.get(1)).toMatchObject({ startMs: 2000, sentences: [] });
    expect(timeline.durationMs).toBe(60_000);
  });
});

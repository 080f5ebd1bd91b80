import { describe, expect, it } from "vitest";
import { newSession } from "../state/ports/session-store.contract.ts";
import type { HistoryItem, SessionRecord } from "../state/ports/session-store.ts";
import { countsOf, latenciesIn, namesIn, sumCounts } from "./conversation-counts.ts";
import { rowOfConversation } from "./conversation-row.ts";

const startMs = Date.parse("2026-03-21T09:00:00Z");

function ended(change: Partial<SessionRecord> = {}): SessionRecord {
  return {
    ...newSession("session-1", startMs),
    status: "ended",
    endReason: "caller_left",
    lastActivityAtMs: startMs + 60_000,
    version: 2,
    turnCount: 2,
    ...change,
  };
}

const item = (change: Partial<HistoryItem>): HistoryItem => ({
  role: "assistant",
  content: "Hello.",
  agent: "desk",
  turnId: "turn-1",
  timestampMs: startMs,
  interrupted: false,
  ...change,
});

function counted(session: SessionRecord, history: readonly HistoryItem[] = [], answers: readonly number[] = []) {
  const turns = answers.map((ms, index) => ({
    turnId: `turn-${index}`,
    agent: "desk",
    timestampMs: startMs,
    marks: { first_audio_ms: ms, preparations: 3 },
  }));
  return countsOf({ row: rowOfConversation({ session, turns }), session, turns, history });
}

describe("what a conversation adds to the counts of its hour", () => {
  it("[OVERVIEW-1] are its outcome, its length, its tools and its handoffs", () => {
    const counts = counted(ended(), [
      item({}),
      item({ role: "tool", toolName: "check_balance", content: '{"success":true}' }),
      item({ role: "tool", toolName: "check_balance", content: '{"success":false}' }),
      item({ agent: "cards", content: "Cards here." }),
    ]);
    expect(counts).toMatchObject({
      conversations: 1,
      contained: 1,
      turns: 2,
      duration_ms: 60_000,
      "outcome:completed": 1,
      "tool:check_balance": 2,
      "tool_failed:check_balance": 1,
      "handoff:desk>cards": 1,
    });
  });

  it("[OVERVIEW-3] is not contained if a person took over, or if it was transferred or failed", () => {
    expect(counted(ended(), [item({ author: "person" })])).toMatchObject({ with_person: 1 });
    expect(counted(ended(), [item({ author: "person" })])).not.toHaveProperty("contained");
    expect(counted(ended({ endReason: "transferred" }))).not.toHaveProperty("contained");
    expect(counted(ended({ endReason: "recogniser_lost" }))).not.toHaveProperty("contained");
  });

  it("[OVERVIEW-1] has each reason of a failure once", () => {
    const failure = { code: "upstream_timeout", message: "The model is slow.", timestampMs: startMs };
    const counts = counted(ended({ endReason: "too_many_failures", failures: [failure, failure] }));
    expect(namesIn(counts, "failure")).toEqual([
      { name: "too_many_failures", count: 1 },
      { name: "upstream_timeout", count: 1 },
    ]);
  });
});

describe("percentiles from counts", () => {
  it("[OVERVIEW-4] are within a bucket of those of the values themselves", () => {
    const values = Array.from({ length: 1000 }, (_, index) => 300 + index * 2);
    const counts = sumCounts([counted(ended(), [], values.slice(0, 500)), counted(ended(), [], values.slice(500))]);
    const [figure] = latenciesIn(counts);
    expect(figure).toMatchObject({ stage: "first_audio_ms", count: 1000 });
    for (const [actual, exact] of [
      [figure?.p50, 1300],
      [figure?.p95, 2200],
    ] as const) {
      expect(actual).toBeGreaterThan(exact * 0.8);
      expect(actual).toBeLessThan(exact * 1.25);
    }
  });

  it("[OVERVIEW-4] say no more than is known of what took longer than the longest bucket", () => {
    expect(latenciesIn(counted(ended(), [], [900_000]))).toEqual([
      { stage: "first_audio_ms", p50: 60_000, p95: 60_000, count: 1 },
    ]);
  });

  it("[OVERVIEW-4] do not exist where nothing was measured", () => {
    expect(latenciesIn(counted(ended()))).toEqual([]);
  });
});

import type { HistoryItem, SessionRecord } from "@voice/shared/state/ports/session-store";
import { describe, expect, it } from "vitest";
import { knownHistory, turnsSoFar } from "./known-history.ts";

function item(role: HistoryItem["role"], content: string, turnId: string): HistoryItem {
  return { role, content, agent: "desk", turnId, timestampMs: 0, interrupted: false };
}

const greeting = item("assistant", "Hello.", "turn-1");
const request = item("user", "My card is lost.", "turn-2");
const answer = item("assistant", "I am the card desk.", "turn-2");
const history = [greeting, request, answer];

describe("what an agent may know", () => {
  it("is everything, where the agent before it has shared what it knew", () => {
    expect(knownHistory(history, undefined)).toEqual(history);
  });

  it("is what it was called for, and what was said since, where nothing was shared", () => {
    expect(knownHistory(history, 2)).toEqual([request, answer]);
  });
});

describe("how many turns a conversation has had", () => {
  const record: SessionRecord = {
    sessionId: "session-1",
    channel: "browser",
    streamingMode: "REALTIME",
    scenario: "default",
    activeAgent: "desk",
    visitedAgents: [],
    status: "active",
    memory: {},
    createdAtMs: 0,
    lastActivityAtMs: 0,
    version: 1,
  };

  it("is what the record says, also when nothing of the last ones is in the history", () => {
    expect(turnsSoFar({ ...record, turnCount: 5 }, history)).toBe(5);
  });

  it("is at least what the history shows, for a record that does not say", () => {
    expect(turnsSoFar(record, history)).toBe(2);
  });
});

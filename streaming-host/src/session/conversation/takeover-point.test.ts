import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import { describe, expect, it } from "vitest";
import { findReturnPoint, findTakeoverPoint, openGapSince, resultsOfLostCalls } from "./takeover-point.ts";

function item(role: HistoryItem["role"], content: string, more: Partial<HistoryItem> = {}): HistoryItem {
  return { role, content, agent: "desk", turnId: "turn-1", timestampMs: 0, interrupted: false, ...more };
}

const greeting = item("assistant", "Hello.");
const question = item("user", "a person please", { turnId: "turn-2" });
const call = { id: "call-1", name: "escalate_human", argumentsJson: "{}" };
const called = item("assistant", "", { turnId: "turn-2", toolCalls: [call] });
const result = item("tool", "{}", {
  turnId: "turn-2",
  toolCallId: "call-1",
  effects: [{ type: "escalate", reason: "asked" }],
});
const answer = item("assistant", "I am connecting you.", { turnId: "turn-2" });

describe("where a conversation goes on that a client resumes", () => {
  it.each([
    ["answers words of a minute ago that nobody has answered", [greeting, question, called, result], 60_000, "answer"],
    ["greets where the caller has long stopped waiting", [greeting, question], 60_001, "greet"],
    ["greets where the answer was heard, or some of it", [question, { ...answer, interrupted: true }], 1000, "greet"],
    ["greets where nobody has spoken", [], 0, "greet"],
  ])("[HS-4a] %s", (_what, history, nowMs, type) => {
    expect(findReturnPoint(history, nowMs)).toEqual({ type });
  });
});

describe("a takeover before which words may be lost that nobody has asked for", () => {
  const at = (timestampMs: number, { role, content, ...more }: HistoryItem): HistoryItem =>
    item(role, content, { ...more, timestampMs });
  const asked = item("assistant", "Could you say that again?", { turnId: "turn-3" });
  const answered = [at(100, greeting), at(200, question), at(300, answer)];
  const owed = [at(100, greeting), at(200, question)];

  it.each([
    ["is one since when nothing was said", answered, [1000], 1000],
    ["is the first of several", answered, [1000, 2000], 1000],
    ["is one since when only the owed answer was said", [...owed, at(1500, answer)], [1000], 1000],
    ["is a later one where the agent has asked since the first", [...answered, at(1500, asked)], [1000, 2000], 2000],
    ["is none once the agent has asked", [...answered, at(1500, asked)], [1000], undefined],
    [
      "is none once it has asked after the owed answer",
      [...owed, at(1500, answer), at(2000, asked)],
      [1000],
      undefined,
    ],
    ["is none once the caller was heard", [...answered, at(1500, question)], [1000], undefined],
    ["is none where the greeting was said again", [at(1500, greeting)], [1000], undefined],
    ["is none where no host has taken it over", answered, [], undefined],
  ])("[TAKE-3i] %s", (_what, history, takenOverAtMs, sinceMs) => {
    expect(openGapSince(takenOverAtMs, history)).toBe(sinceMs);
  });
});

describe("where a conversation goes on", () => {
  it.each([
    ["greets when nobody was heard", [], { type: "greet" }],
    ["greets when the greeting was cut off", [{ ...greeting, interrupted: true }], { type: "greet" }],
    ["listens when the agent had the last word", [greeting], { type: "listen", promised: [] }],
    [
      "listens when the caller was cut off, who may have said half a sentence",
      [greeting, { ...question, interrupted: true }],
      { type: "listen", promised: [] },
    ],
    ["answers words that are unanswered", [greeting, question], { type: "answer" }],
    ["answers them when only a tool has run", [greeting, question, called, result], { type: "answer" }],
    [
      "answers them again when the answer was cut off",
      [greeting, question, { ...answer, interrupted: true }],
      { type: "answer" },
    ],
    [
      "answers them again when the second answer was cut off as well",
      [greeting, question, { ...answer, interrupted: true, turnId: "turn-3" }],
      { type: "answer" },
    ],
    [
      "listens when only a reprompt was cut off",
      [greeting, question, answer, item("assistant", "Are you", { turnId: "turn-3", interrupted: true })],
      { type: "listen", promised: [] },
    ],
  ])("[TAKE-2a] [TAKE-2b] %s", (_what, history, expected) => {
    expect(findTakeoverPoint(history)).toEqual(expected);
  });

  it("[TAKE-5] [EFFECT-6] carries out the effect that the last answer announced, under the id of its tool call", () => {
    expect(findTakeoverPoint([greeting, question, called, result, answer])).toEqual({
      type: "listen",
      promised: [{ type: "escalate", reason: "asked", id: "call-1" }],
    });
  });

  it("[TAKE-5] carries out no effect of an earlier turn", () => {
    const regret = item("assistant", "I am sorry.", { turnId: "turn-3" });
    expect(findTakeoverPoint([greeting, question, called, result, answer, regret])).toEqual({
      type: "listen",
      promised: [],
    });
  });
});

describe("tool calls of a host that died", () => {
  const begun = { turnId: "turn-2", agent: "desk", calls: [call] };

  it("[TAKE-4d] have a result that says that the outcome is unknown", () => {
    const [asked, lost, ...others] = resultsOfLostCalls(begun, [greeting, question], { nowMs: 5, language: "en" });
    expect(asked).toMatchObject({ role: "assistant", content: "", turnId: "turn-2", toolCalls: [call] });
    expect(lost).toMatchObject({ role: "tool", toolCallId: "call-1", timestampMs: 5 });
    expect(lost?.content).toContain("cannot tell whether it went through");
    expect(others).toEqual([]);
  });

  it("[TAKE-4d] are left alone where the result is known, or there are none", () => {
    expect(resultsOfLostCalls(begun, [greeting, question, called, result], { nowMs: 5, language: "en" })).toEqual([]);
    expect(resultsOfLostCalls(undefined, [greeting], { nowMs: 5, language: "en" })).toEqual([]);
  });
});

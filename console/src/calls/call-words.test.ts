import { describe, expect, it } from "vitest";

import { durationInWords } from "../duration-in-words.ts";
import { happeningInWords, outcomeOf } from "./call-words.ts";

describe("what became of a call", () => {
  it.each([
    [{ status: "ringing" }, { text: "Ringing…", tone: "live" }],
    [
      { status: "failed", failure: { code: "no_answer", reason: "no answer" } },
      { text: "Nobody answered", tone: "failed" },
    ],
    [
      { status: "failed", failure: { code: "call_failed", reason: "Internal server error" } },
      { text: "Failed: Internal server error", tone: "failed" },
    ],
    [
      { status: "disconnected", failure: { code: "all_places_taken", reason: "full" } },
      { text: "Turned away: all places were taken", tone: "failed" },
    ],
    [
      { status: "disconnected", end_reason: "caller_left" },
      { text: "Ended: the caller left", tone: "ended" },
    ],
    [
      { status: "disconnected", end_reason: "transferred" },
      { text: "Transferred", tone: "ended" },
    ],
    [{ status: "disconnected" }, { text: "Ended", tone: "ended" }],
  ])("is said in words: %j", (call, outcome) => {
    expect(outcomeOf({ failure: null, end_reason: null, ...call })).toEqual(outcome);
  });
});

describe("what happened in a call", () => {
  it.each([
    ["Microsoft.Communication.CallConnected", {}, "Picked up"],
    ["conversation.ended", { reason: "caller_done" }, "The conversation ended because the caller was done"],
    ["effect.transfer", { outcome: "failed", reason: "no_answer" }, "The agent transferred the call: no answer"],
    ["effect.hold", { outcome: "done" }, "The agent put the call on hold"],
    ["Microsoft.Communication.RecordingStateChanged", {}, "recording state changed"],
  ])("is said in words, or by its name: %s %j", (type, details, words) => {
    expect(happeningInWords({ type, details })).toBe(words);
  });
});

it("writes durations as clocks do", () => {
  expect([7, 65, 3725].map(durationInWords)).toEqual(["0:07", "1:05", "1:02:05"]);
});

import { describe, expect, it } from "vitest";

import { formatDuration } from "../format-duration.ts";
import { happeningInWords } from "./describe-call-event.ts";

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
  expect([7, 65, 3725].map(formatDuration)).toEqual(["0:07", "1:05", "1:02:05"]);
});

import { describe, expect, it } from "vitest";

import { outcomeOf, partiesInWords } from "./call-outcome.ts";

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
    [
      { status: "disconnected", end_reason: "The caller said goodbye." },
      { text: "Ended: The caller said goodbye.", tone: "ended" },
    ],
    [
      { status: "disconnected", end_reason: "caller_left" },
      { text: "Ended: the caller left", tone: "ended" },
    ],
    [
      { status: "disconnected", end_reason: "voicemail_message_left" },
      { text: "Ended: a message was left on an answering machine", tone: "ended" },
    ],
    [
      { status: "disconnected", end_reason: "caller_left", direction: "outbound" },
      { text: "Ended: the person called hung up", tone: "ended" },
    ],
    [{ status: "disconnected" }, { text: "Ended", tone: "ended" }],
  ])("is said in words: %j", (call, outcome) => {
    expect(outcomeOf({ failure: null, end_reason: null, direction: "inbound", ...call })).toEqual(outcome);
  });
});

describe("who calls whom", () => {
  it.each([
    [{ direction: "inbound", target_number: "+1", caller_number: "+12025550123" }, "Incoming, from +12025550123"],
    [{ direction: "inbound", target_number: "+1", caller_number: null }, "Incoming, from a number that is withheld"],
    [
      { direction: "inbound", caller_number: null, caller_raw_id: "4:anonymous" },
      "Incoming, from a number that is withheld",
    ],
    [{ direction: "inbound", caller_number: null, caller_raw_id: "4:1001" }, "Incoming, from extension 1001"],
    [{ direction: "inbound", caller_number: null, caller_raw_id: "8:orgid:u-1" }, "Incoming, from 8:orgid:u-1"],
    [{ direction: "outbound", target_number: "+12025550123", caller_number: "+1" }, "Outgoing, to +12025550123"],
  ])("is said in words: %j", (call, words) => {
    expect(partiesInWords(call)).toBe(words);
  });
});

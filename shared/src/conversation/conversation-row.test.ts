import { describe, expect, it } from "vitest";

import { newCall } from "../state/ports/call-store.contract.ts";
import { newSession } from "../state/ports/session-store.contract.ts";
import type { CallPatch } from "../state/ports/call-store.ts";
import type { SessionRecord } from "../state/ports/session-store.ts";
import { hasFailed, rowOfCall, rowOfConversation } from "./conversation-row.ts";

const session: SessionRecord = { ...newSession("s-1", 1000), version: 5, lastActivityAtMs: 61_000 };
const ended = (endReason: string): SessionRecord => ({ ...session, status: "ended", endReason });
const call = (patch: CallPatch = {}) => ({ ...newCall("k-1", 900), version: 3, ...patch });

describe("the row of a conversation", () => {
  it.each([
    ["caller_left", "completed"],
    ["caller_done", "completed"],
    ["operator", "completed"],
    ["transfer", "transferred"],
    ["voicemail_message_left", "voicemail"],
    ["recogniser_lost", "failed"],
    ["host_lost", "failed"],
    ["internal_error", "failed"],
    ["a reason of a tool", "completed"],
  ])("that ended because of %j says %s", (reason, outcome) => {
    expect(rowOfConversation({ session: ended(reason), turns: [] })).toMatchObject({ outcome, endReason: reason });
  });

  it("says what the call became, where that says more", () => {
    const of = (patch: CallPatch) => rowOfConversation({ session: ended("finished"), turns: [], call: call(patch) });
    expect(of({ status: "failed", failureCode: "declined" }).outcome).toBe("declined");
    expect(of({ status: "disconnected" }).outcome).toBe("completed");
    expect(of({ status: "disconnected", answeredBy: "machine" }).outcome).toBe("voicemail");
    expect(of({ status: "disconnected", failureCode: "stream_lost" }).outcome).toBe("failed");
  });

  it("does not claim that a resumed conversation has ended, or why", () => {
    const row = rowOfConversation({ session: { ...session, status: "active", endReason: "draining" }, turns: [] });
    expect(row).toMatchObject({ outcome: "in_progress", endReason: undefined, endedAtMs: undefined });
  });

  it("has no time of answers where none was measured", () => {
    const turn = { turnId: "t", agent: "a", timestampMs: 0, marks: { recognised_ms: 40 } };
    expect(rowOfConversation({ session, turns: [turn] }).answerP95Ms).toBeUndefined();
  });

  it("of a call that did not come about has failed, whatever the reason", () => {
    for (const failureCode of ["busy", "declined", "no_answer", "number_unreachable"])
      expect(hasFailed(rowOfCall(call({ status: "failed", failureCode })))).toBe(true);
    expect(hasFailed(rowOfCall(call({ status: "ringing" })))).toBe(false);
  });
});

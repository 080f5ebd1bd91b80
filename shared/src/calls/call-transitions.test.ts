import { describe, expect, it } from "vitest";
import { callStatuses } from "../contracts/calls/call-status.ts";
import { announcedStatus, isEnded, isLegalTransition, shortEventType } from "./call-transitions.ts";

describe("call statuses", () => {
  it("lead from initiating to an end and never back", () => {
    for (const status of callStatuses) {
      expect(isLegalTransition("disconnected", status)).toBe(false);
      expect(isLegalTransition("failed", status)).toBe(false);
      expect(isLegalTransition(status, "initiating")).toBe(false);
    }
  });

  it("let an unanswered call end or fail, and a connected one only end", () => {
    expect(isLegalTransition("ringing", "failed")).toBe(true);
    expect(isLegalTransition("connected", "failed")).toBe(false);
    expect(isLegalTransition("connected", "ringing")).toBe(false);
  });

  it("go in and out of hold", () => {
    expect(isLegalTransition("connected", "on_hold")).toBe(true);
    expect(isLegalTransition("on_hold", "connected")).toBe(true);
    expect(isLegalTransition("initiating", "on_hold")).toBe(false);
  });

  it("know which of them are final", () => {
    expect(callStatuses.filter(isEnded)).toEqual(["disconnected", "failed"]);
  });
});

describe("call events", () => {
  it("announce a status or none", () => {
    expect(announcedStatus("Microsoft.Communication.CallConnected")).toBe("connected");
    expect(announcedStatus("Microsoft.Communication.CallDisconnected")).toBe("disconnected");
    expect(announcedStatus("Microsoft.Communication.CreateCallFailed")).toBe("failed");
    expect(announcedStatus("Microsoft.Communication.PlayCompleted")).toBeUndefined();
    expect(announcedStatus("constructor")).toBeUndefined();
  });

  it("have a short name", () => {
    expect(shortEventType("Microsoft.Communication.ParticipantsUpdated")).toBe("ParticipantsUpdated");
    expect(shortEventType("Other")).toBe("Other");
  });
});

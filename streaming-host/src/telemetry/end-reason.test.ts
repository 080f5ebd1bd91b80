import { describe, expect, it } from "vitest";
import { brokenSession } from "../session/modes/live-session.ts";
import { callTooLong, historyFull } from "../session/turn/turn-effects.ts";
import { hungUp, messageLeft, notInService } from "../session/voicemail/watch-voicemail.ts";
import { knownEndReason } from "./end-reason.ts";

describe("why a conversation ended, in the log", () => {
  it.each([brokenSession, callTooLong, historyFull, hungUp, messageLeft, notInService, "lost", "slowReader"])(
    "is the service's own word: %s",
    (reason) => {
      expect(knownEndReason(reason)).toBe(reason);
    },
  );

  it("is not what a model wrote", () => {
    expect(knownEndReason("Pat at +12025550123 was satisfied")).toBe("other");
  });
});

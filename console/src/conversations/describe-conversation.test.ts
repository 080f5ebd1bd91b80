import { describe, expect, it } from "vitest";

import { briefId, describeReason, describeWho, isCallAlone } from "./describe-conversation.ts";

describe("a row of the table", () => {
  it.each([
    [{ outcome: "completed", end_reason: "caller_left" }, "the caller left"],
    [{ outcome: "completed", end_reason: "caller_left", direction: "outbound" }, "they hung up"],
    [{ outcome: "voicemail", end_reason: "caller_left", direction: "outbound" }, ""],
    [{ outcome: "busy", end_reason: "busy" }, ""],
    [{ outcome: "failed", end_reason: "pstn_number_invalid" }, "There is no such number"],
    [{ outcome: "failed", end_reason: "recogniser_lost" }, "speech recognition failed"],
    [{ outcome: "in_progress", end_reason: null }, ""],
    [{ outcome: "completed", end_reason: "order_placed" }, "order placed"],
  ])("says why it ended, unless the outcome does: %j", (row, words) => {
    expect(describeReason(row)).toBe(words);
  });

  it("names who is on the other side, or what a search finds it by", () => {
    expect(describeWho({ who: "+12025550123", channel: "phone", session_id: "session-a" })).toBe("+12025550123");
    expect(describeWho({ who: null, channel: "phone", session_id: "session-a" })).toBe("Number withheld");
    expect(describeWho({ who: null, channel: "browser", session_id: "session-MA-dGaXq" })).toBe("MA-dGa");
    expect(briefId("mine")).toBe("mine");
  });

  it("leads to the call where there never was a conversation", () => {
    expect(isCallAlone({ call_id: "call-1", outcome: "busy", turns: 0 })).toBe(true);
    expect(isCallAlone({ call_id: "call-1", outcome: "failed", turns: 3 })).toBe(false);
    expect(isCallAlone({ call_id: null, outcome: "failed", turns: 0 })).toBe(false);
    expect(isCallAlone({ call_id: "call-1", outcome: "in_progress", turns: 0 })).toBe(false);
  });
});

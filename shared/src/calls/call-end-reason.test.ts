import type { CallLogEntry } from "../state/ports/call-store.ts";
import { describe, expect, it } from "vitest";
import { endReasonOf } from "./call-end-reason.ts";

const ended = { status: "disconnected" } as const;
const at = { eventId: "1", timestampMs: 0 };
const accepted: CallLogEntry = { ...at, type: "Microsoft.Communication.CallTransferAccepted", details: {} };
const escalated = (outcome: string): CallLogEntry => ({ ...at, type: "effect.escalate", details: { outcome } });

describe("why a call is over", () => {
  it.each([
    ["the service has transferred it", accepted],
    ["we have introduced the caller to a person and left [EFFECT-11a]", escalated("done")],
  ])("is that it was transferred where %s", (_what, entry) => {
    expect(endReasonOf(ended, [entry])).toBe("transferred");
  });

  it("is that the caller left where a transfer came to nothing, and nothing else is known", () => {
    expect(endReasonOf(ended, [escalated("they hung up")])).toBe("caller_left");
  });

  it("is why the conversation has ended, where that is known", () => {
    const over: CallLogEntry = { ...at, type: "conversation.ended", details: { reason: "caller_silent" } };
    expect(endReasonOf({ ...ended, hangUpReason: "operator" }, [over])).toBe("caller_silent");
    expect(endReasonOf({ ...ended, hangUpReason: "operator" }, [])).toBe("operator");
  });

  it("is not said before the end, nor of a call that failed", () => {
    expect(endReasonOf({ status: "connected" }, [accepted])).toBeNull();
    expect(endReasonOf({ ...ended, failureCode: "busy" }, [])).toBeNull();
  });
});

import { describe, expect, it } from "vitest";
import type { VendorCallback } from "../contracts/calls/vendor-callback.ts";
import type { CallRecord } from "../state/ports/call-store.ts";
import { newCall } from "../state/ports/call-store.contract.ts";
import { changeByCallback, logEntryOf, type Callback } from "./apply-callback.ts";

const callee = { kind: "phoneNumber", rawId: "4:+12025550123", phoneNumber: { value: "+12025550123" } };
const colleague = { kind: "phoneNumber", rawId: "4:+12025550199", phoneNumber: { value: "+12025550199" } };

function call(direction: CallRecord["direction"]): CallRecord {
  return { ...newCall("call-1", 0), direction, targetNumber: "+12025550123", version: 1 };
}

function callback(type: string, content: VendorCallback): Callback {
  return { eventId: "1", type: `Microsoft.Communication.${type}`, atMs: 0, connectionId: "connection-1", content };
}

function rolesIn(direction: CallRecord["direction"], ...identifiers: (typeof callee)[]): unknown[] {
  const participants = identifiers.map((identifier) => ({ identifier }));
  const change = changeByCallback(call(direction), callback("ParticipantsUpdated", { participants }));
  return change?.participants?.map(({ role }) => role) ?? [];
}

describe("changeByCallback", () => {
  it("[OUT-7] names the callee of an outbound call, and anybody else a participant", () => {
    expect(rolesIn("outbound", callee, colleague)).toEqual(["callee", "participant"]);
  });

  it("[OUT-7] names the caller of an inbound call", () => {
    expect(rolesIn("inbound", colleague)).toEqual(["caller"]);
  });

  it("[OUT-3] writes down why a call has failed, as a code and in words", () => {
    const failed = callback("CreateCallFailed", {
      resultInformation: { code: 486, subCode: 560_486, message: "Busy" },
    });
    expect(changeByCallback(call("outbound"), failed)).toMatchObject({
      status: "failed",
      failureCode: "busy",
      failureReason: "busy",
    });
    expect(logEntryOf(failed).details).toMatchObject({ code: 486, failure: "busy", reason: "busy" });
  });

  it("[MEDIA-2] writes down that a stream failed, under the contract's code and in the service's word", () => {
    const failed = callback("MediaStreamingFailed", {
      mediaStreamingUpdate: { mediaStreamingStatusDetails: "initialWebSocketConnectionFailed" },
      resultInformation: { code: 400, subCode: 8581 },
    });
    expect(logEntryOf(failed).details).toMatchObject({
      failure: "media_streaming_failed",
      reason: "initialWebSocketConnectionFailed",
      sub_code: 8581,
    });
    const transcript = callback("TranscriptionFailed", {});
    expect(logEntryOf(transcript).details).toMatchObject({ failure: "media_streaming_failed" });
    expect(logEntryOf(callback("MediaStreamingStarted", {})).details).toMatchObject({ failure: undefined });
  });

  it("[END-1] calls it cancelled when a call was hung up here before anybody answered", () => {
    const ringing = { ...call("outbound"), status: "ringing", hangUpAtMs: 1, hangUpReason: "normal" } as const;
    for (const type of ["CallDisconnected", "CreateCallFailed"])
      expect(changeByCallback(ringing, callback(type, { resultInformation: { code: 200 } }))).toMatchObject({
        failureCode: "cancelled",
        failureReason: "ended before anybody answered",
      });
  });

  it("gives no code for a call that was talked on and has ended", () => {
    const over = callback("CallDisconnected", { resultInformation: { code: 200, message: "the caller hung up" } });
    const change = changeByCallback({ ...call("outbound"), status: "connected", hangUpAtMs: 1 }, over);
    expect(change).toMatchObject({ status: "disconnected", failureReason: "the caller hung up" });
    expect(change).not.toHaveProperty("failureCode");
  });
});

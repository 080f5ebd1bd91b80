import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { callOutcomeOf } from "../contracts/calls/call-outcome.ts";
import type { CallRecord } from "../state/ports/call-store.ts";
import { newCall } from "../state/ports/call-store.contract.ts";
import { changeByCallback, logEntryOf, type Callback } from "./apply-callback.ts";
import { azureCallback, toCallReport } from "./azure/azure-event.ts";

const callee = { kind: "phoneNumber", rawId: "4:+12025550123", phoneNumber: { value: "+12025550123" } };
const colleague = { kind: "phoneNumber", rawId: "4:+12025550199", phoneNumber: { value: "+12025550199" } };

function call(direction: CallRecord["direction"]): CallRecord {
  return { ...newCall("call-1", 0), direction, targetNumber: "+12025550123", version: 1 };
}

/** As Azure writes it. */
type Written = z.input<typeof azureCallback>;

function callback(type: string, written: Written, atMs = 0): Callback {
  const content = toCallReport(azureCallback.parse(written));
  return { eventId: "1", type: `Microsoft.Communication.${type}`, atMs, connectionId: "connection-1", content };
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

  it("keeps the participants where a report names none that can be read", () => {
    const known = {
      ...call("inbound"),
      callConnectionId: "connection-1",
      participants: [{ id: "4:+1", role: "caller", status: "on_hold" }],
    };
    expect(changeByCallback(known, callback("ParticipantsUpdated", { sequenceNumber: 2 }))).toBeUndefined();
    expect(changeByCallback(known, callback("ParticipantsUpdated", { participants: [] }))).toEqual({
      participants: [],
    });
  });

  it("[OUT-3a] writes down why a call has failed, as a code and in words", () => {
    const failed = callback("CreateCallFailed", {
      resultInformation: { code: 486, subCode: 560_486, message: "Busy" },
    });
    expect(changeByCallback(call("outbound"), failed)).toMatchObject({
      status: "failed",
      failureCode: "busy",
      failureReason: "busy",
    });
    expect(logEntryOf(failed, call("outbound")).details).toMatchObject({ code: 486, failure: "busy", reason: "busy" });
  });

  it("[MEDIA-2d] writes down that a stream failed, under the contract's code and in the service's word", () => {
    const failed = callback("MediaStreamingFailed", {
      mediaStreamingUpdate: { mediaStreamingStatusDetails: "initialWebSocketConnectionFailed" },
      resultInformation: { code: 400, subCode: 8581 },
    });
    expect(logEntryOf(failed, call("outbound")).details).toMatchObject({
      failure: "media_streaming_failed",
      reason: "initialWebSocketConnectionFailed",
      sub_code: 8581,
    });
    const transcript = callback("TranscriptionFailed", {});
    expect(logEntryOf(transcript, call("outbound")).details).toMatchObject({ failure: "media_streaming_failed" });
    expect(logEntryOf(callback("MediaStreamingStarted", {}), call("outbound")).details).toMatchObject({
      failure: undefined,
    });
  });

  it("[END-1] calls it cancelled when a call was hung up here before anybody answered", () => {
    const ringing = { ...call("outbound"), status: "ringing", hangUpAtMs: 1, hangUpReason: "normal" } as const;
    for (const type of ["CallDisconnected", "CreateCallFailed"])
      expect(changeByCallback(ringing, callback(type, { resultInformation: { code: 200 } }))).toMatchObject({
        failureCode: "cancelled",
        failureReason: "ended before anybody answered",
      });
  });

  it.each([
    ["outbound", { code: 200, message: "Call terminated" }, "no_answer"],
    ["outbound", { code: 200, subCode: 560_486 }, "busy"],
    ["inbound", { code: 487, subCode: 560_487 }, "caller_gone"],
  ] as const)("[OUT-3d] does not list a ringing %s call that ends with %o as completed: %s", (way, result, code) => {
    const over = callback("CallDisconnected", { resultInformation: result });
    const ringing = { ...call(way), status: "ringing" } as const;
    const ended = { ...ringing, ...changeByCallback(ringing, over) };
    expect(ended).toMatchObject({ status: "failed", failureCode: code });
    expect(callOutcomeOf(ended)).toBe(code === "caller_gone" ? "failed" : code);
    expect(logEntryOf(over, ended).details).toMatchObject({ failure: code });
  });

  it("[CB-3] lists a call as answered whose answer is reported after its end", () => {
    const over = callback("CallDisconnected", { resultInformation: { code: 200 } }, 9000);
    const ringing = { ...call("outbound"), status: "ringing" } as const;
    const ended = { ...ringing, ...changeByCallback(ringing, over) };
    const answered = { ...ended, ...changeByCallback(ended, callback("CallConnected", {}, 4000)) };
    expect(answered).toMatchObject({ status: "disconnected", connectedAtMs: 4000, endedAtMs: 9000 });
    expect(callOutcomeOf(answered)).toBe("completed");
    expect(changeByCallback(ended, callback("CallConnected", {}, 9001))).toBeUndefined();
    const turnedAway = { ...ended, turnedAway: true, failureCode: "all_places_taken" };
    expect(changeByCallback(turnedAway, callback("CallConnected", {}, 4000))).not.toHaveProperty("failureCode");
  });

  it("[CB-3] does not take a call that is talked on for one that the service has ended", () => {
    const connected = { ...call("inbound"), status: "connected", callConnectionId: "connection-1" } as const;
    expect(changeByCallback(connected, callback("AnswerFailed", { resultInformation: { code: 409 } }))).toBeUndefined();
    expect(changeByCallback(connected, callback("CallDisconnected", {}))).toMatchObject({ endedByService: true });
  });

  it("gives no code for a call that was talked on and has ended", () => {
    const over = callback("CallDisconnected", { resultInformation: { code: 200, message: "the caller hung up" } });
    const change = changeByCallback({ ...call("outbound"), status: "connected", hangUpAtMs: 1 }, over);
    expect(change).toMatchObject({ status: "disconnected", failureReason: "the caller hung up" });
    expect(change).not.toHaveProperty("failureCode");
    expect(logEntryOf(over, { ...call("outbound"), ...change }).details).toMatchObject({ failure: undefined });
  });
});

describe("reports of an end", () => {
  const busy = { code: 486, subCode: 560_486, message: "Busy Here" };
  const odd = { code: 512, subCode: 99, message: "odd" };
  const cases = [
    ["busy", ["CallDisconnected", undefined, 9000], ["CreateCallFailed", busy, 9001]],
    ["busy", ["CallDisconnected", { code: 0, subCode: 0 }, 9000], ["CreateCallFailed", busy, 8000]],
    ["busy", ["CallDisconnected", { code: 200, subCode: 0 }, 9000], ["CreateCallFailed", busy, 9000]],
    ["busy", ["CallDisconnected", busy, 9000], ["CreateCallFailed", odd, 9000]],
    ["declined", ["CallDisconnected", busy, 9000], ["CreateCallFailed", { code: 603, subCode: 560_603 }, 9000]],
    ["call_failed", ["CallDisconnected", { code: 200 }, 9000], ["CreateCallFailed", odd, 9000]],
    ["no_answer", ["CallDisconnected", undefined, 9000], ["CallDisconnected", { code: 200 }, 9000]],
  ] as const;

  it.each(cases)("[CB-7a] lead to the same record in every order and repetition: %s", (code, ...reports) => {
    const orders = [reports, reports.toReversed(), [...reports, ...reports], [...reports, ...reports].toReversed()];
    const records = orders.map((order) => {
      const record = { ...call("outbound"), status: "ringing", callConnectionId: "connection-1" } as CallRecord;
      for (const [type, resultInformation, atMs] of order)
        Object.assign(record, changeByCallback(record, callback(type, { resultInformation }, atMs)));
      return record;
    });
    expect(records[0]).toMatchObject({ status: "failed", failureCode: code, endedByService: true });
    for (const record of records) expect(record).toEqual(records[0]);
    expect(records[0]?.endedAtMs).toBe(Math.min(...reports.map(([, , atMs]) => atMs)));
  });

  it("[CB-7b] replace what was assumed because a phone rang too long, unless they are only about our hang-up", () => {
    const rangTooLong: CallRecord = {
      ...call("outbound"),
      status: "failed",
      endedAtMs: 30_000,
      hangUpAtMs: 30_000,
      failureCode: "no_answer",
      failureReason: "no answer",
      failureBasis: "assumed",
    };
    const after = (type: string, resultInformation: Written["resultInformation"]) => ({
      ...rangTooLong,
      ...changeByCallback(rangTooLong, callback(type, { resultInformation }, 31_000)),
    });
    expect(after("CreateCallFailed", busy)).toMatchObject({ failureCode: "busy" });
    expect(after("CreateCallFailed", { code: 487, subCode: 560_487 })).toMatchObject({ failureCode: "no_answer" });
    expect(after("CreateCallFailed", odd)).toMatchObject({ failureCode: "no_answer" });
    expect(after("CallDisconnected", { code: 200 })).toMatchObject({ failureCode: "no_answer", endedByService: true });
  });

  it("[CB-7c] do not replace our own decision", () => {
    const refused: CallRecord = { ...call("outbound"), status: "failed", failureCode: "pstn_number_invalid" };
    const report = callback("CreateCallFailed", { resultInformation: busy });
    expect({ ...refused, ...changeByCallback(refused, report) }).toMatchObject({ failureCode: "pstn_number_invalid" });
  });
});

/** What the rest of a call's events change: operations that end, participants, streams, and ends that are reported twice. */
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import type { CallRecord } from "../state/ports/call-store.ts";
import { newCall } from "../state/ports/call-store.contract.ts";
import { changeByCallback, isStreamStopped, settledByCallback, type Callback } from "./apply-callback.ts";
import { azureCallback, toCallReport } from "./azure/azure-event.ts";

const known: CallRecord = { ...newCall("call-1", 0), callConnectionId: "connection-1", version: 1 };

/** As Azure writes it. */
function callback(type: string, written: z.input<typeof azureCallback> = {}, atMs = 5): Callback {
  const content = toCallReport(azureCallback.parse(written));
  return { eventId: "1", type: `Microsoft.Communication.${type}`, atMs, connectionId: "connection-1", content };
}

describe("an operation", () => {
  it.each([
    "CallTransferAccepted",
    "AddParticipantSucceeded",
    "RemoveParticipantSucceeded",
    "PlayCompleted",
    "SendDtmfTonesCompleted",
  ])("has succeeded with %s", (type) => {
    const settled = settledByCallback(callback(type, { operationContext: "op-1" }));
    expect(settled).toEqual({ operationContext: "op-1", outcome: { ok: true } });
  });

  it.each([
    "CallTransferFailed",
    "AddParticipantFailed",
    "RemoveParticipantFailed",
    "PlayFailed",
    "PlayCanceled",
    "SendDtmfTonesFailed",
    "HoldFailed",
  ])("has failed with %s, for the reason that is known or in general words", (type) => {
    const failed = settledByCallback(callback(type, { operationContext: "op-1" }));
    expect(failed?.outcome).toEqual({ ok: false, reason: "the other side could not be reached" });
    const busy = { code: 486, subCode: 560_486, message: "Busy" };
    const explained = settledByCallback(callback(type, { operationContext: "op-1", resultInformation: busy }));
    expect(explained?.outcome).toEqual({ ok: false, reason: "busy" });
  });

  it("was not answered where its invitation was cancelled, and is ended neither by another event nor by one without its context", () => {
    const cancelled = settledByCallback(callback("CancelAddParticipantSucceeded", { operationContext: "op-1" }));
    expect(cancelled).toMatchObject({
      operationContext: "op-1",
      outcome: { ok: false, reason: expect.stringContaining("answer") },
    });
    expect(settledByCallback(callback("CallConnected", { operationContext: "op-1" }))).toBeUndefined();
    expect(settledByCallback(callback("PlayCompleted"))).toBeUndefined();
  });
});

describe("an answer that is reported", () => {
  it("connects a call once, and leaves one on hold", () => {
    expect(changeByCallback(known, callback("CallConnected"))).toEqual({ status: "connected", connectedAtMs: 5 });
    const connected: CallRecord = { ...known, status: "connected", connectedAtMs: 3 };
    expect(changeByCallback(connected, callback("CallConnected"))).toBeUndefined();
    expect(changeByCallback({ ...connected, status: "on_hold" }, callback("CallConnected"))).toBeUndefined();
  });

  it("names the connection of a call that had none", () => {
    const { callConnectionId: _, ...unconnected } = known;
    expect(changeByCallback(unconnected, callback("CallConnected"))).toMatchObject({
      callConnectionId: "connection-1",
    });
  });
});

describe("an end that is reported", () => {
  const talked: CallRecord = { ...known, status: "connected", connectedAtMs: 1 };

  it("ends a call that was talked on, with the service's codes where it has some", () => {
    const bare = changeByCallback(talked, callback("CallDisconnected"));
    expect(bare).toMatchObject({ status: "disconnected", endedAtMs: 5, endedByService: true });
    expect(bare).not.toHaveProperty("serviceCode");
    const resultInformation = { code: 487, subCode: 5003, message: "gone" };
    expect(changeByCallback(talked, callback("CallDisconnected", { resultInformation }))).toMatchObject({
      serviceCode: 487,
      serviceSubCode: 5003,
    });
    expect(changeByCallback(talked, callback("AnswerFailed"))).toBeUndefined();
  });

  it("moves an end only to an earlier time, and describes it once", () => {
    const over: CallRecord = { ...talked, status: "disconnected", endedAtMs: 5, endedByService: true };
    expect(changeByCallback(over, callback("CallDisconnected"))).toBeUndefined();
    expect(changeByCallback(over, callback("CallDisconnected", {}, 4))).toEqual({ endedAtMs: 4 });
    const resultInformation = { code: 487, subCode: 5003, message: "gone" };
    expect(changeByCallback(over, callback("CallDisconnected", { resultInformation }))).toBeUndefined();
    const announced: CallRecord = { ...talked, failureCode: "declined" };
    expect(changeByCallback(announced, callback("CallDisconnected", { resultInformation }))).not.toHaveProperty(
      "serviceCode",
    );
  });

  it("prefers the report with the higher numbers of two that say as much, whichever came first", () => {
    const failed: CallRecord = {
      ...known,
      status: "failed",
      endedAtMs: 1,
      endedByService: true,
      failureCode: "busy",
      failureBasis: "failure",
      serviceCode: 486,
      serviceSubCode: 560_486,
    };
    const replacing = (code: number, subCode: number) =>
      changeByCallback(failed, callback("CreateCallFailed", { resultInformation: { code, subCode, message: "" } }));
    expect(replacing(603, 560_603)).toMatchObject({ serviceCode: 603, serviceSubCode: 560_603 });
    expect(replacing(487, 560_486)).toMatchObject({ serviceCode: 487 });
    for (const [code, subCode] of [
      [486, 560_486],
      [485, 560_486],
      [480, 560_480],
    ] as const)
      expect(replacing(code, subCode)).toBeUndefined();
  });
});

describe("participants that are reported", () => {
  const identifier = { kind: "phoneNumber", rawId: "4:+12025550123", phoneNumber: { value: "+12025550123" } };
  const report = (sequenceNumber?: number, more: { isOnHold?: boolean; isMuted?: boolean } = {}) =>
    callback("ParticipantsUpdated", { participants: [{ identifier, ...more }], sequenceNumber });

  it("replace those of an older report, and not those of a newer one or of a call whose people were forgotten", () => {
    const listed = { ...known, participantsSequence: 4 };
    expect(changeByCallback(listed, report(3))).toBeUndefined();
    expect(changeByCallback(listed, report(4))).toMatchObject({ participantsSequence: 4 });
    expect(changeByCallback({ ...listed, isForgotten: true }, report(5))).toBeUndefined();
    expect(changeByCallback(listed, report())).not.toHaveProperty("participantsSequence");
  });

  it("are connected, muted or on hold", () => {
    const statusOf = (more: { isOnHold?: boolean; isMuted?: boolean }) =>
      changeByCallback(known, report(1, more))?.participants?.[0]?.status;
    expect([{}, { isMuted: true }, { isOnHold: true, isMuted: true }].map(statusOf)).toEqual([
      "connected",
      "muted",
      "on_hold",
    ]);
  });

  it("have the caller of an inbound call among them, also with a hidden number", () => {
    const inbound: CallRecord = { ...known, direction: "inbound", callerNumber: "+12025550123" };
    const anonymous = { kind: "phoneNumber", rawId: "4:anonymous" };
    const bot = { kind: "communicationUser", rawId: "8:acs:bot" };
    const rolesIn = (call: CallRecord, ...identifiers: object[]) =>
      changeByCallback(
        call,
        callback("ParticipantsUpdated", { participants: identifiers.map((one) => ({ identifier: one })) }),
      )?.participants?.map(({ role }) => role);
    const colleague = { ...identifier, rawId: "4:+12025550199", phoneNumber: { value: "+12025550199" } };
    expect(rolesIn(inbound, identifier, colleague, bot)).toEqual(["caller", "participant", "participant"]);
    const { callerNumber: _, ...hidden } = inbound;
    expect(rolesIn(hidden, anonymous, bot)).toEqual(["caller", "participant"]);
    expect(rolesIn({ ...hidden, callerRawId: "4:anonymous" }, anonymous, colleague)).toEqual(["caller", "participant"]);
  });
});

describe("a stream", () => {
  it("[MEDIA-2d] that fails is noted once for each event, and mended by the next that starts", () => {
    const failed = changeByCallback(known, callback("MediaStreamingFailed"));
    expect(failed).toEqual({ streamFailures: [{ eventId: "1", atMs: 5, isMended: false }] });
    const noted: CallRecord = { ...known, ...failed };
    expect(changeByCallback(noted, callback("MediaStreamingFailed"))).toBeUndefined();
    for (const type of ["MediaStreamingStarted", "TranscriptionStarted"]) {
      const mended = changeByCallback(noted, callback(type));
      expect(mended).toMatchObject({ streamFailures: [{ eventId: "1", isMended: true }] });
      expect(changeByCallback({ ...noted, ...mended }, callback(type))).toBeUndefined();
      expect(changeByCallback(known, callback(type))).toBeUndefined();
    }
    expect(changeByCallback(noted, callback("MediaStreamingStopped"))).toBeUndefined();
  });

  it("has stopped with two events, and with no other", () => {
    const types = ["MediaStreamingStopped", "TranscriptionStopped", "MediaStreamingStarted"];
    expect(types.map((type) => isStreamStopped(`Microsoft.Communication.${type}`))).toEqual([true, true, false]);
  });
});

import { describe, expect, it } from "vitest";
import { VoiceError } from "@voice/shared/platform/errors";
import type { ListenToTarget } from "../../session/voicemail/target-ear.ts";
import type { VoicemailEvidence } from "../../session/voicemail/voicemail-detector.ts";
import type { HostEffect } from "../../session/conversation/host-effects.ts";
import { settings, startConnectedCall, type CallRig } from "../../testing/call-rig.ts";

const warm = { COMM_TRANSFERS: "warm" };
const escalate: HostEffect = { type: "escalate", reason: "asked", introduction: "Pat has lost a card.", id: "1" };

/** The ringing time, and what the service may need to report that nobody has answered. */
const givesUpMs = settings.commCallTimeoutMs + 3250;

async function startTransfer(change: Readonly<Record<string, string>> = warm, listen?: ListenToTarget) {
  const rig = await startConnectedCall(change);
  const holds: boolean[] = [];
  const outcome = rig.control.carryOut(escalate, "connection-1", {
    onHold: (isHeld) => void holds.push(isHeld),
    listenToTarget: listen,
  });
  await rig.settle();
  return { ...rig, holds, outcome };
}

/** A transfer after whose introduction the service does not let us leave. */
async function breakOff() {
  const rig = await startTransfer();
  rig.during(async ({ operation }) => {
    if (operation === "leave") throw new VoiceError("upstream_unavailable", "no", { retryable: false });
  });
  await rig.tell("AddParticipantSucceeded", "invite:1");
  await rig.settle(8000);
  return rig;
}

/** A transfer to somebody who has picked up, and whom this host hears. */
async function startHeardTransfer() {
  const machine = Promise.withResolvers<VoicemailEvidence>();
  const ear = {
    found: machine.promise,
    goesOn: false,
    hasSpoken: true,
    isStopped: false,
    stop: () => void (ear.isStopped = true),
  };
  const rig = await startTransfer(warm, () => ear);
  await rig.tell("AddParticipantSucceeded", "invite:1");
  await rig.settle(100);
  return { ...rig, machine, ear };
}

/** What the service was asked to do, without the questions in between. */
function commands(rig: Pick<CallRig, "operations">): readonly string[] {
  return rig.operations().filter((operation) => operation !== "participantsOf");
}

describe("a warm transfer whose answer is not reported", () => {
  it("[EFFECT-42] goes on with the person whom the service lists in the call", async () => {
    const rig = await startTransfer();
    await rig.settle(8000);
    rig.serviceLists([{ rawId: "4:+12025550123", isOnHold: true }]);
    await rig.settle(3000);
    expect(rig.operations()).not.toContain("play");
    rig.serviceLists([
      { rawId: "4:+12025550123", isOnHold: true },
      { rawId: "4:+12025550150", isOnHold: false },
    ]);
    await rig.settle(9000);
    expect(await rig.outcome).toEqual({ ok: true });
    expect(commands(rig)).toEqual(["hold", "addParticipant", "play", "unhold", "leave"]);
  });

  it("[EFFECT-42] waits on while the service does not say who is in the call", async () => {
    const rig = await startTransfer();
    rig.during(async ({ operation }) => {
      if (operation === "participantsOf") throw new VoiceError("upstream_unavailable", "no");
    });
    await rig.settle(12_000);
    await rig.tell("AddParticipantSucceeded", "invite:1");
    await rig.settle(8000);
    expect(await rig.outcome).toEqual({ ok: true });
  });
});

describe("a warm transfer to an answering machine", () => {
  it("[EFFECT-16b] is hung up on at once, and the caller is taken back and told", async () => {
    const rig = await startHeardTransfer();
    rig.machine.resolve("beep");
    await rig.settle();
    expect(rig.operations().slice(2)).toEqual(["play", "removeParticipant"]);
    await rig.tell("RemoveParticipantSucceeded", "remove:1");
    await rig.settle(1000);
    expect(await rig.outcome).toEqual({ ok: false, reason: "an answering machine took the call" });
    expect(rig.operations().at(-1)).toBe("unhold");
    expect([rig.holds, rig.ear.isStopped]).toEqual([[true, false], true]);
  });

  it("[EFFECT-16d] waits while somebody talks on who may be one, and for a queue no longer than 10 s", async () => {
    const rig = await startHeardTransfer();
    rig.ear.goesOn = true;
    await rig.settle(10_000);
    expect(rig.operations().slice(2)).toEqual(["play"]);
    await rig.settle(3000);
    expect(rig.operations().slice(2)).toEqual(["play", "unhold", "leave"]);
    expect(await rig.outcome).toEqual({ ok: true });
  });
});

describe("a warm transfer to somebody who makes no sound", () => {
  it("[EFFECT-32b] asks them once, and takes the caller back if nobody speaks", async () => {
    const rig = await startHeardTransfer();
    rig.ear.hasSpoken = false;
    await rig.settle(5500);
    expect(rig.operations().slice(2)).toEqual(["play", "play"]);
    expect(rig.said.at(-1)).toBe("Hello? Please say something if you can take the call.");
    await rig.settle(6000);
    expect(rig.operations().slice(2)).toEqual(["play", "play", "removeParticipant"]);
    await rig.tell("RemoveParticipantSucceeded", "remove:1");
    await rig.settle(1000);
    expect(await rig.outcome).toEqual({ ok: false, reason: "nobody spoke" });
    expect(rig.operations().at(-1)).toBe("unhold");
    expect(rig.holds).toEqual([true, false]);
  });

  it("[EFFECT-32a] puts the caller through as soon as they speak, asked or not", async () => {
    const late = await startHeardTransfer();
    late.ear.hasSpoken = false;
    await late.settle(3000);
    late.ear.hasSpoken = true;
    await late.settle(2000);
    expect(await late.outcome).toEqual({ ok: true });
    expect(late.operations().slice(2)).toEqual(["play", "unhold", "leave"]);
    const asked = await startHeardTransfer();
    asked.ear.hasSpoken = false;
    await asked.settle(7500);
    asked.ear.hasSpoken = true;
    await asked.settle(2000);
    expect(await asked.outcome).toEqual({ ok: true });
    expect(asked.operations().slice(2)).toEqual(["play", "play", "unhold", "leave"]);
  });
});

describe("a warm transfer", () => {
  const caller = { id: "4:+12025550123", phoneNumber: "+12025550123", role: "callee", status: "connected" };

  it("[EFFECT-11a] [EFFECT-11b] calls somebody while the caller hears music, tells them who it is, and leaves the two alone", async () => {
    const rig = await startTransfer();
    expect(rig.operations()).toEqual(["hold", "addParticipant"]);
    expect(rig.requests[1]?.details).toMatchObject({
      target: "+12025550150",
      callerNumber: "+12025550100",
      operationContext: "invite:1",
      context: { Reason: "asked", "Session-Id": "session-1" },
    });
    expect(await rig.record()).toMatchObject({ status: "on_hold" });
    expect(rig.holds).toEqual([true]);
    await rig.tell("AddParticipantSucceeded", "invite:1");
    await rig.settle(100);
    expect(rig.requests.at(-1)).toMatchObject({ operation: "play", details: { to: "+12025550150" } });
    expect(rig.said).toEqual(["Hello. Pat has lost a card. I am putting you through now."]);
    await rig.settle(1500);
    expect(await rig.outcome).toEqual({ ok: true });
    expect(rig.operations()).toEqual(["hold", "addParticipant", "play", "unhold", "leave"]);
    expect(rig.holds).toEqual([true, false]);
  });

  it("[EFFECT-11b] tells them the reason where there is no introduction", async () => {
    const rig = await startConnectedCall(warm);
    void rig.control.carryOut({ type: "escalate", reason: "A lost card", id: "1" }, "connection-1");
    await rig.settle();
    await rig.tell("AddParticipantSucceeded", "invite:1");
    await rig.settle(100);
    expect(rig.said).toEqual([
      "Hello. I have a caller for you. This is the reason. A lost card. I am putting you through now.",
    ]);
  });

  it("[EFFECT-11c] puts a person through who is there, though the words could not be said", async () => {
    const person = { ...caller, id: "4:+12025550150", phoneNumber: "+12025550150", role: "participant" };
    for (const participants of [[], [caller, person]]) {
      const rig = await startTransfer();
      const { version } = await rig.record();
      await rig.state.calls.update("call-1", version, { participants });
      rig.failures.push(new VoiceError("upstream_unavailable", "no", { retryable: false }));
      await rig.tell("AddParticipantSucceeded", "invite:1");
      await rig.settle(3000);
      expect(await rig.outcome).toEqual({ ok: true });
      expect(rig.operations()).toEqual(["hold", "addParticipant", "play", "unhold", "leave"]);
    }
  });

  it("[EFFECT-11e] gives the caller back when nobody answers, and says why", async () => {
    const rig = await startTransfer();
    await rig.tell("AddParticipantFailed", "invite:1", 486);
    await rig.settle(1000);
    expect(await rig.outcome).toEqual({ ok: false, reason: "busy" });
    expect(rig.operations()).toEqual(["hold", "addParticipant", "unhold"]);
    expect(await rig.record()).toMatchObject({ status: "connected" });
    expect(rig.holds).toEqual([true, false]);
  });

  it("[EFFECT-11e] has failed when the phone was not picked up in time, also without a word of the service", async () => {
    const rig = await startTransfer();
    await rig.settle(settings.commCallTimeoutMs + 10_000);
    expect(await rig.outcome).toEqual({ ok: false, reason: "no answer" });
    expect(rig.operations().at(-1)).toBe("unhold");
  });

  it("[EFFECT-14a] silences the phone that nobody picks up before the caller is taken back", async () => {
    const rig = await startTransfer();
    await rig.settle(givesUpMs);
    expect(commands(rig)).toEqual(["hold", "addParticipant", "cancelInvitation"]);
    expect(rig.requests.at(-1)?.details).toMatchObject({
      invitationId: "invitation-of-invite:1",
      operationContext: "invite:1",
    });
    await rig.tell("CancelAddParticipantSucceeded", "invite:1");
    await rig.settle(1000);
    expect(await rig.outcome).toEqual({ ok: false, reason: "no answer" });
    expect(commands(rig)).toEqual(["hold", "addParticipant", "cancelInvitation", "unhold"]);
  });

  it("[EFFECT-14b] goes on with a person who picked up before the phone could be silenced", async () => {
    const rig = await startTransfer();
    await rig.settle(givesUpMs);
    await rig.tell("CancelAddParticipantFailed", "invite:1", 400);
    await rig.tell("AddParticipantSucceeded", "invite:1");
    await rig.settle(3000);
    expect(await rig.outcome).toEqual({ ok: true });
    expect(commands(rig).slice(2)).toEqual(["cancelInvitation", "play", "unhold", "leave"]);
  });

  it("[EFFECT-14c] removes a person who may have joined before the caller is taken back", async () => {
    const rig = await startTransfer();
    rig.during(async ({ operation }) => {
      if (operation === "cancelInvitation") throw new VoiceError("conflict", "too late", { retryable: false });
    });
    await rig.settle(givesUpMs + 2250);
    expect(commands(rig).slice(2)).toEqual(["cancelInvitation", "removeParticipant"]);
    expect(rig.requests.at(-1)?.details).toMatchObject({ target: "+12025550150", operationContext: "remove:1" });
    await rig.tell("RemoveParticipantSucceeded", "remove:1");
    await rig.settle(1000);
    expect(await rig.outcome).toEqual({ ok: false, reason: "no answer" });
    expect(rig.operations().at(-1)).toBe("unhold");
  });

  it("[EFFECT-14d] removes a person whose answer is reported when the caller has been taken back", async () => {
    const rig = await startTransfer();
    await rig.settle(settings.commCallTimeoutMs + 10_000);
    const before = rig.operations().length;
    const participant = { kind: "phoneNumber", rawId: "4:+12025550150", phoneNumber: { value: "+12025550150" } };
    const failed = new VoiceError("upstream_unavailable", "busy", { retryable: true });
    rig.failures.push(failed);
    await rig.hear("AddParticipantSucceeded", { context: "invite:1", content: { participant } });
    await rig.settle(20_000);
    const requests = rig.requests.slice(before);
    expect(requests.map(({ operation }) => operation)).toEqual(["removeParticipant", "removeParticipant"]);
    expect(requests[1]).toEqual(requests[0]);
    expect(requests[0]?.details).toMatchObject({ target: "+12025550150" });
  });

  it("[EFFECT-14c] removes a person whose transfer breaks off before the caller is taken back", async () => {
    const rig = await breakOff();
    expect(await rig.outcome).toMatchObject({ ok: false });
    expect(rig.operations().slice(-4)).toEqual(["leave", "cancelInvitation", "removeParticipant", "unhold"]);
  });

  it("[EFFECT-14a] [ONCE-3] is given up by another host with the same requests", async () => {
    const rig = await startTransfer();
    const second = await rig.startAnotherHost();
    const again = second.carryOut(escalate, "connection-1");
    await rig.settle(settings.commCallTimeoutMs + 10_000);
    expect(await again).toEqual({ ok: false, reason: "no answer" });
    expect(await rig.outcome).toEqual({ ok: false, reason: "no answer" });
    for (const wanted of ["cancelInvitation", "removeParticipant"] as const) {
      const requests = rig.requests.filter(({ operation }) => operation === wanted);
      expect(requests.length).toBeGreaterThan(0);
      expect(new Set(requests.map((request) => JSON.stringify(request))).size).toBe(1);
    }
    await second.close();
  });

  it("[EFFECT-11f] is a blind one where the service calls nobody into a call", async () => {
    const rig = await startConnectedCall(warm);
    rig.during(async ({ operation }) => {
      if (operation === "addParticipant") throw new VoiceError("upstream_unavailable", "no", { retryable: false });
    });
    const outcome = rig.control.carryOut(escalate, "connection-1");
    await rig.settle(1000);
    expect(rig.operations()).toEqual(["hold", "addParticipant", "unhold", "transfer"]);
    await rig.tell("CallTransferAccepted", "transfer:1");
    await rig.settle(1000);
    expect(await outcome).toEqual({ ok: true });
  });

  it("[EFFECT-11f] [ONCE-3] is asked for again, and is no blind one, when nobody knows whether the phone rings", async () => {
    const rig = await startConnectedCall(warm);
    rig.during(async ({ operation }) => {
      const isFirst = rig.operations().filter((name) => name === "addParticipant").length === 1;
      if (operation === "addParticipant" && isFirst) throw new VoiceError("upstream_timeout", "no answer");
    });
    const outcome = rig.control.carryOut(escalate, "connection-1");
    await rig.settle(3000);
    expect(rig.operations()).toEqual(["hold", "addParticipant", "addParticipant"]);
    expect(rig.requests[2]).toEqual(rig.requests[1]);
    await rig.settle(givesUpMs + 5000);
    expect(await outcome).toEqual({ ok: false, reason: "no answer" });
    expect(rig.requests.find(({ operation }) => operation === "cancelInvitation")?.details).toMatchObject({
      invitationId: "invitation-of-invite:1",
    });
    expect(rig.operations()).not.toContain("transfer");
  });

  it("[EFFECT-15c] is no blind one when the service refuses to call somebody again whose phone may ring", async () => {
    const rig = await startConnectedCall(warm);
    rig.during(async ({ operation }) => {
      const asked = rig.operations().filter((name) => name === "addParticipant").length;
      if (operation === "addParticipant" && asked === 1) throw new VoiceError("upstream_timeout", "no answer");
      if (operation === "addParticipant") throw new VoiceError("conflict", "they ring already", { retryable: false });
    });
    const outcome = rig.control.carryOut(escalate, "connection-1");
    await rig.settle(3000);
    await rig.tell("AddParticipantSucceeded", "invite:1");
    await rig.settle(3000);
    expect(await outcome).toEqual({ ok: true });
    expect(rig.operations()).not.toContain("transfer");
  });

  it("[EFFECT-15d] has succeeded if we had left the two already when the service was asked again", async () => {
    const rig = await startTransfer();
    rig.during(async ({ operation }) => {
      if (operation !== "leave") return;
      const isFirst = rig.operations().filter((name) => name === "leave").length === 1;
      rig.serviceSays("gone");
      throw new VoiceError(isFirst ? "upstream_timeout" : "call_not_found", "no");
    });
    await rig.tell("AddParticipantSucceeded", "invite:1");
    await rig.settle(5000);
    expect(await rig.outcome).toEqual({ ok: true });
    expect(rig.operations()).not.toContain("removeParticipant");
  });

  it("[EFFECT-11h] goes on with a person who answers although nobody knew whether their phone rang", async () => {
    const rig = await startConnectedCall(warm);
    rig.during(async ({ operation }) => {
      if (operation === "addParticipant") throw new VoiceError("upstream_timeout", "no answer");
    });
    const outcome = rig.control.carryOut(escalate, "connection-1");
    await rig.settle(1000);
    await rig.tell("AddParticipantSucceeded", "invite:1");
    await rig.settle(3000);
    expect(await outcome).toEqual({ ok: true });
    expect(rig.operations()).toEqual(["hold", "addParticipant", "play", "unhold", "leave"]);
  });

  it("[EFFECT-11e] gives the caller back when the ringing time is over and nobody ever knew whether the phone rang", async () => {
    const rig = await startConnectedCall(warm);
    rig.during(async ({ operation }) => {
      if (operation === "addParticipant") throw new VoiceError("upstream_timeout", "no answer");
    });
    const outcome = rig.control.carryOut(escalate, "connection-1");
    await rig.settle(givesUpMs + 5000);
    expect(await outcome).toEqual({ ok: false, reason: "no answer" });
    expect(rig.operations().slice(-2)).toEqual(["removeParticipant", "unhold"]);
  });

  it.each(["warm", "blind"])("[EFFECT-11e] rings no longer because another host took over (%s)", async (how) => {
    const rig = await startConnectedCall({ COMM_TRANSFERS: how });
    // What a host leaves that dies while the phone rings.
    const { version } = await rig.record();
    await rig.state.calls.update("call-1", version, { transferId: "1", transferBegunAtMs: rig.clock.wallNow() });
    await rig.state.callOperations.begin({ callId: "call-1", operationContext: "transfer:1" });
    await rig.settle(settings.commCallTimeoutMs - 5000);
    const outcome = rig.control.carryOut(escalate, "connection-1");
    await rig.settle(16_000);
    expect(await rig.state.callOperations.find({ callId: "call-1", operationContext: "transfer:1" })).toMatchObject({
      reason: "no answer",
    });
    expect(await outcome).toEqual({ ok: false, reason: "no answer" });
  });

  it("[EFFECT-11g] hangs up on the person who has answered when the caller has gone meanwhile", async () => {
    const rig = await startTransfer();
    const { version } = await rig.record();
    const person = { id: "4:+12025550150", phoneNumber: "+12025550150", role: "participant", status: "connected" };
    await rig.state.calls.update("call-1", version, { participants: [person] });
    await rig.tell("AddParticipantSucceeded", "invite:1");
    await rig.settle(2000);
    expect(await rig.outcome).toEqual({ ok: false, reason: "the call is over" });
    expect(rig.operations()).toEqual(["hold", "addParticipant", "play", "hangUp"]);
    // ONCE-3: the end of the conversation sends the same request, so that the call is not ended twice.
    await rig.control.hangUp("connection-1", "caller_left");
    expect(rig.requests.at(-1)?.details).toEqual(rig.requests.at(-2)?.details);
  });

  it("[EFFECT-13a] gives the caller back when the person who has answered hangs up during the introduction", async () => {
    const rig = await startTransfer();
    rig.during(async ({ operation }) => {
      if (operation !== "play") return;
      const { version } = await rig.record();
      await rig.state.calls.update("call-1", version, { participants: [caller] });
      throw new VoiceError("call_not_found", "they have gone", { retryable: false });
    });
    await rig.tell("AddParticipantSucceeded", "invite:1");
    await rig.settle(3000);
    expect(await rig.outcome).toEqual({ ok: false, reason: "they hung up" });
    expect(rig.operations()).toEqual(["hold", "addParticipant", "play", "unhold"]);
    expect(await rig.record()).toMatchObject({ status: "connected" });
    expect(rig.holds).toEqual([true, false]);
  });

  it("[EFFECT-13a] gives the caller back when the person has left, though the service says that they heard it all", async () => {
    const rig = await startTransfer();
    await rig.tell("AddParticipantSucceeded", "invite:1");
    const { version } = await rig.record();
    await rig.state.calls.update("call-1", version, { participants: [caller], participantsSequence: 3 });
    await rig.settle(3000);
    expect(await rig.outcome).toEqual({ ok: false, reason: "they hung up" });
    expect(rig.operations()).toEqual(["hold", "addParticipant", "play", "unhold"]);
    expect(await rig.record()).toMatchObject({ status: "connected" });
  });

  it("[EFFECT-13a] leaves no caller alone whose person hung up while ending the music took long", async () => {
    const rig = await startTransfer();
    let isAway = true;
    rig.during(async ({ operation }) => {
      if (operation === "unhold" && isAway) throw new VoiceError("upstream_timeout", "no answer in time");
    });
    await rig.tell("AddParticipantSucceeded", "invite:1");
    await rig.settle(3000);
    const { version } = await rig.record();
    await rig.state.calls.update("call-1", version, { participants: [caller], participantsSequence: 3 });
    isAway = false;
    await rig.settle(6000);
    expect(await rig.outcome).toEqual({ ok: false, reason: "they hung up" });
    expect(rig.operations()).not.toContain("leave");
    expect(await rig.record()).toMatchObject({ status: "connected" });
  });

  it("[EFFECT-13e] goes on with a person who heard the introduction where the list that has them is late", async () => {
    const rig = await startTransfer();
    const { version } = await rig.record();
    await rig.state.calls.update("call-1", version, { participants: [caller], participantsSequence: 2 });
    await rig.tell("AddParticipantSucceeded", "invite:1");
    await rig.settle(3000);
    expect(await rig.outcome).toEqual({ ok: true });
  });

  it("[EFFECT-13b] gives the caller back when the transfer breaks off in the middle", async () => {
    const rig = await startConnectedCall(warm);
    rig.during(async ({ operation }) => {
      if (operation === "leave") throw new VoiceError("upstream_unavailable", "no", { retryable: false });
      if (operation === "addParticipant")
        rig.state.calls.get = async () => {
          throw new VoiceError("cache_connection_failed", "away");
        };
    });
    const { get } = rig.state.calls;
    const outcome = rig.control.carryOut(escalate, "connection-1");
    await rig.settle();
    await rig.state.callOperations.settle({ callId: "call-1", operationContext: "invite:1" }, { ok: true });
    await rig.settle(3000);
    expect(await outcome).toMatchObject({ ok: false });
    expect(rig.operations().at(-1)).toBe("unhold");
    rig.state.calls.get = get;
  });

  it("[EFFECT-11e] that broke off is over, so that another one can begin", async () => {
    const rig = await breakOff();
    expect(await rig.outcome).toMatchObject({ ok: false });
    rig.during(async () => undefined);
    const again = rig.control.carryOut({ ...escalate, id: "2" }, "connection-1");
    await rig.settle();
    expect(rig.requests.at(-1)).toMatchObject({
      operation: "addParticipant",
      details: { operationContext: "invite:2" },
    });
    await rig.tell("AddParticipantFailed", "invite:2", 486);
    await rig.settle(1000);
    expect(await again).toEqual({ ok: false, reason: "busy" });
  });

  it("[EFFECT-13c] is tried again, soon, to give the caller back where the service does not do it at once", async () => {
    const rig = await startTransfer();
    let refusals = 2;
    rig.during(async ({ operation }) => {
      if (operation === "unhold" && refusals-- > 0)
        throw new VoiceError("upstream_unavailable", "busy", { retryable: true });
    });
    await rig.tell("AddParticipantFailed", "invite:1", 486);
    await rig.settle(12_000);
    expect(await rig.outcome).toEqual({ ok: false, reason: "busy" });
    expect(rig.operations().filter((operation) => operation === "unhold")).toHaveLength(3);
    expect(await rig.record()).toMatchObject({ status: "connected" });
  });

  it("[EFFECT-13d] has its stream asked for when its host is gone, and nobody is hung up on while the music plays", async () => {
    const rig = await startTransfer();
    const letGo = rig.control.carryStream(await rig.record());
    await rig.settle(1000);
    expect(rig.operations()).not.toContain("startStream");
    letGo();
    await rig.settle(4000);
    expect(rig.operations()).toContain("startStream");
    await rig.settle(20_000);
    expect(await rig.record()).toMatchObject({ status: "on_hold" });
    expect(rig.operations()).not.toContain("hangUp");
  });

  it("[EFFECT-6] [EFFECT-11h] is continued by another host, which repeats no request", async () => {
    const rig = await startTransfer();
    const second = await rig.startAnotherHost();
    const again = second.carryOut(escalate, "connection-1");
    await rig.settle();
    await rig.tell("AddParticipantSucceeded", "invite:1");
    await rig.settle(3000);
    expect(await again).toEqual({ ok: true });
    const invitations = rig.requests.filter(({ operation }) => operation === "addParticipant");
    expect(new Set(invitations.map(({ details }) => JSON.stringify(details["repetition"]))).size).toBe(1);
    expect(rig.operations().filter((operation) => operation === "play")).toHaveLength(1);
    expect(await second.carryOut(escalate, "connection-1")).toEqual({ ok: true });
    await second.close();
  });
});

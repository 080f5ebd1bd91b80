import { describe, expect, it } from "vitest";
import { VoiceError } from "@voice/shared/platform/errors";
import { settings, startCallRig } from "../../testing/call-rig.ts";
import type { CallRig } from "../../testing/call-rig.ts";
import { answerWindowMs } from "../end/overdue-calls.ts";

async function ringing(change: Readonly<Record<string, string>> = {}): Promise<CallRig> {
  const rig = await startCallRig(change);
  rig.leavePlaces(0);
  await rig.create({ direction: "inbound", status: "ringing" });
  return rig;
}

const answer = (rig: CallRig, callId = "call-1") =>
  rig.publish(`answer:${callId}`, "call.inbound-received", { call_id: callId, incoming_call_context: "context" });

async function turnedAway(rig: CallRig): Promise<unknown> {
  const log = await rig.state.calls.events("call-1");
  return log.find(({ type }) => type === "call.turned-away")?.details;
}

describe("an inbound call while all places are taken", () => {
  it("[FULL-1] rings on, and is taken when a place is free", async () => {
    const rig = await ringing();
    await answer(rig);
    await rig.settle(5000);
    expect(rig.operations()).toEqual([]);
    expect(await turnedAway(rig)).toMatchObject({ answer: "ring" });
    rig.leavePlaces(1);
    await rig.settle(500);
    expect(rig.operations()).toEqual(["answer"]);
  });

  it("[FULL-1] is busy when no place was free in time, and says so in its record", async () => {
    const rig = await ringing();
    await answer(rig);
    await rig.settle(answerWindowMs);
    expect(rig.operations()).toEqual(["reject"]);
    expect(await rig.record()).toMatchObject({ status: "failed", failureCode: "all_places_taken" });
  });

  it("[END-1] stops ringing when it is terminated meanwhile", async () => {
    const rig = await ringing();
    await answer(rig);
    await rig.settle(1000);
    await rig.terminate();
    await rig.settle(500);
    expect(rig.operations()).toEqual(["reject"]);
    expect(await rig.record()).toMatchObject({ status: "failed", failureCode: "cancelled" });
  });

  it("[FULL-1] goes on ringing on another host when the one that let it ring leaves", async () => {
    const rig = await ringing();
    const another = await rig.startAnotherHost();
    await answer(rig);
    await rig.settle(2000);
    await Promise.all([rig.control.drain(), rig.settle(6000)]);
    rig.leavePlaces(1);
    await rig.settle(2000);
    expect(rig.operations()).toEqual(["answer"]);
    await another.close();
  });

  it("[FULL-5] is sent elsewhere where the settings say so", async () => {
    const rig = await ringing({ COMM_WHEN_FULL: "redirect", COMM_WHEN_FULL_TARGET: "person" });
    await answer(rig);
    expect(rig.requests).toMatchObject([
      {
        operation: "redirect",
        details: { target: "+12025550150", incomingCallContext: "context", repetition: { id: "redirect:call-1" } },
      },
    ]);
    expect(await rig.record()).toMatchObject({
      status: "failed",
      failureCode: "all_places_taken",
      failureReason: "all places for calls are taken; the call was redirected",
    });
  });

  it("[FULL-5] rings on when the service does not send it there", async () => {
    const rig = await ringing({ COMM_WHEN_FULL: "redirect", COMM_WHEN_FULL_TARGET: "person" });
    rig.failures.push(new VoiceError("pstn_number_invalid", "no"));
    await answer(rig);
    rig.leavePlaces(1);
    await rig.settle(500);
    expect(rig.operations()).toEqual(["redirect", "answer"]);
  });

  it("[FULL-6] is answered without a stream, told why, and hung up", async () => {
    const rig = await ringing({ COMM_WHEN_FULL: "message" });
    await answer(rig);
    expect(rig.requests).toMatchObject([{ operation: "answer", details: { stream: undefined } }]);
    const { callConnectionId: connectionId } = await rig.record();
    await rig.hear("CallConnected", { connectionId });
    await rig.settle(100);
    const said = rig.requests.at(-1);
    expect(said).toMatchObject({ operation: "play", details: { operationContext: "say:full:call-1" } });
    const name = String(said?.details["audioUrl"]).split("/").at(-1) ?? "";
    expect((await rig.state.announcements.get(name))?.byteLength).toBeGreaterThan(16_000);
    await rig.settle(500);
    expect(rig.operations()).not.toContain("hangUp");
    await rig.hear("PlayCompleted", { connectionId, context: "say:full:call-1" });
    await rig.settle(500);
    expect(rig.operations()).toEqual(["answer", "play", "hangUp"]);
    await rig.hear("CallDisconnected", { connectionId });
    expect(await rig.record()).toMatchObject({
      status: "disconnected",
      failureCode: "all_places_taken",
      failureReason: "all places for calls are taken",
    });
  });

  it("[FULL-6] hangs up a call that the service does not speak to", async () => {
    const rig = await ringing({ COMM_WHEN_FULL: "message" });
    await answer(rig);
    rig.failures.push(new VoiceError("upstream_unavailable", "no play", { retryable: false }));
    await rig.hear("CallConnected", { connectionId: "connection-call-1" });
    await rig.settle(500);
    expect(rig.operations()).toEqual(["answer", "play", "hangUp"]);
    expect(await rig.state.calls.events("call-1")).toContainEqual(
      expect.objectContaining({
        type: "announcement.played",
        details: { words: "full", outcome: "not heard to its end" },
      }),
    );
  });

  it("[FULL-2a] [FULL-6] takes no place from others when it is answered a second time to be told why", async () => {
    const rig = await ringing({ COMM_WHEN_FULL: "message" });
    const { version } = await rig.record();
    await rig.state.calls.update("call-1", version, { turnedAway: true });
    rig.leavePlaces(1);
    await answer(rig);
    expect(rig.requests).toMatchObject([{ operation: "answer", details: { stream: undefined } }]);
    expect(await rig.state.callPlaces.kept()).toBe(0);
  });
});

describe("an inbound call outside of its number's opening hours", () => {
  it("[ROUTE-5] is answered without a stream or a place, hears the row's sentence, and is hung up", async () => {
    const rig = await startCallRig();
    rig.leavePlaces(0);
    const announcement = "We are closed until Monday.";
    await rig.create({ direction: "inbound", status: "ringing", turnedAway: true, announcement });
    await answer(rig);
    expect(rig.requests).toMatchObject([{ operation: "answer", details: { stream: undefined } }]);
    const connectionId = "connection-call-1";
    await rig.hear("CallConnected", { connectionId });
    await rig.settle(500);
    await rig.hear("PlayCompleted", { connectionId, context: "say:closed:call-1" });
    await rig.settle(500);
    expect(rig.operations()).toEqual(["answer", "play", "hangUp"]);
    await rig.hear("CallDisconnected", { connectionId });
    expect(await rig.record()).toMatchObject({ status: "disconnected", hangUpReason: "outside opening hours" });
    expect((await rig.record()).failureCode).toBeUndefined();
  });
});

describe("places", () => {
  it("[FULL-2a] are reserved once, however many calls ring at the same instant", async () => {
    const rig = await startCallRig();
    rig.leavePlaces(3);
    const calls = Array.from({ length: 8 }, (_none, index) => `call-${index}`);
    for (const callId of calls) await rig.create({ callId, direction: "inbound", status: "ringing" });
    await Promise.all(calls.map((callId) => answer(rig, callId)));
    await rig.settle(1000);
    expect(rig.operations()).toEqual(["answer", "answer", "answer"]);
  });

  it("[FULL-2b] are kept for a call that we place for as long as it may ring", async () => {
    const rig = await startCallRig();
    await rig.create();
    await rig.place();
    await rig.settle(settings.commCallTimeoutMs - 1000);
    expect(await rig.state.callPlaces.kept()).toBe(1);
    await rig.settle(3000);
    expect(await rig.state.callPlaces.kept()).toBe(0);
  });

  it("[FULL-2c] are given back by calls that end before their stream has come", async () => {
    const rig = await startCallRig();
    await rig.create();
    await rig.place();
    expect(await rig.state.callPlaces.kept()).toBe(1);
    await rig.hear("CallDisconnected", { connectionId: "connection-call-1", code: 486 });
    expect(await rig.state.callPlaces.kept()).toBe(0);
  });

  it("[FULL-2c] pass from the reservation to the stream once the heartbeat shows it", async () => {
    const rig = await startCallRig();
    await rig.create();
    await rig.place();
    const letGo = rig.control.carryStream(await rig.record());
    await rig.settle();
    expect(await rig.state.callPlaces.kept()).toBe(1);
    await rig.settle(2500);
    expect(await rig.state.callPlaces.kept()).toBe(0);
    letGo();
  });
});

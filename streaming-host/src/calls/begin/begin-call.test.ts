import { describe, expect, it } from "vitest";
import { VoiceError } from "@voice/shared/platform/errors";
import { settings, startCallRig } from "../../testing/call-rig.ts";
import type { CallRig } from "../../testing/call-rig.ts";

describe("placing", () => {
  it("[CACHE-5f] [OUT-1] asks for audio at the rate of the call's mode, and for callbacks to us", async () => {
    const rig = await startCallRig();
    await rig.create({ streamingMode: "VOICE_LIVE" });
    await rig.place();
    expect(rig.requests).toMatchObject([
      {
        operation: "place",
        details: {
          callId: "call-1",
          stream: { kind: "audio", sampleRateHz: 24_000 },
          callerNumber: "+12025550100",
          callbackUrl: "https://voice.example.com/api/v1/calls/callbacks?secret=open%20sesame",
          mediaUrl: "wss://voice.example.com/api/v1/media/stream?call_id=call-1&session_id=session-1",
        },
      },
    ]);
    expect(await rig.record()).toMatchObject({ status: "ringing", callConnectionId: "connection-call-1" });
  });

  it("[OUT-2] [ONCE-3] asks under the same id, as first sent at the same time, when the first answer was lost", async () => {
    const rig = await startCallRig();
    rig.failures.push(new VoiceError("upstream_unavailable", "lost"));
    await rig.create();
    await rig.place();
    await rig.settle(2000);
    const { firstAskedAtMs } = await rig.record();
    const repetition = { id: "place:call-1", firstSentAtMs: firstAskedAtMs };
    expect(rig.repetitions()).toEqual([repetition, repetition]);
    expect((await rig.record()).status).toBe("ringing");
  });

  it("[OUT-5a] fails the call when the service refuses for good", async () => {
    const rig = await startCallRig();
    rig.failures.push(new VoiceError("pstn_number_invalid", "no number"));
    await rig.create();
    await rig.place();
    expect(await rig.record()).toMatchObject({ status: "failed", failureCode: "pstn_number_invalid" });
    expect(rig.operations()).toEqual(["place"]);
  });

  it("[OUT-5c] does not place a call that was asked for too long ago", async () => {
    const rig = await startCallRig();
    await rig.create({ createdAtMs: rig.clock.wallNow() - settings.commCallTimeoutMs - 1 });
    await rig.place();
    expect(rig.operations()).toEqual([]);
    expect((await rig.record()).status).toBe("failed");
  });

  const lost = new VoiceError("upstream_timeout", "no answer in time");
  const refused = new VoiceError("upstream_unavailable", "place failed with 400", { retryable: false });

  it("[OUT-10a] goes on with a call whose repetition is refused, because the first request may have been accepted", async () => {
    const rig = await startCallRig();
    rig.failures.push(lost, refused);
    await rig.create();
    await rig.place();
    await rig.settle(2000);
    expect(rig.operations()).toEqual(["place", "place"]);
    expect((await rig.record()).status).toBe("initiating");
    await rig.hear("CallConnected");
    expect(await rig.record()).toMatchObject({ status: "connected", callConnectionId: "connection-1" });
    await rig.settle(1000);
    expect(rig.operations()).not.toContain("hangUp");
  });

  it("[OUT-10b] [OUT-4] fails a call whose repetition was refused when nothing comes of it", async () => {
    const rig = await startCallRig();
    rig.failures.push(lost, refused);
    await rig.create();
    await rig.place();
    await rig.settle(settings.commCallTimeoutMs + 4000);
    expect(await rig.record()).toMatchObject({ status: "failed", failureCode: "upstream_unavailable" });
  });

  it("[OUT-10c] does not say that nobody picked up where the service never said that it places the call", async () => {
    const rig = await startCallRig();
    const reason = "place failed with 503";
    rig.failures.push(...Array.from({ length: 20 }, () => new VoiceError("upstream_unavailable", reason)));
    await rig.create();
    await rig.place();
    await rig.settle(settings.commCallTimeoutMs + 4000);
    expect(await rig.record()).toMatchObject({
      status: "failed",
      failureCode: "upstream_unavailable",
      failureReason: `the communication service did not say that it places the call: ${reason}`,
    });
  });

  it("[OUT-10d] fails a call at once whose repetition is refused for its number", async () => {
    const rig = await startCallRig();
    rig.failures.push(lost, new VoiceError("pstn_number_invalid", "no number"));
    await rig.create();
    await rig.place();
    await rig.settle(2000);
    expect(await rig.record()).toMatchObject({ status: "failed", failureCode: "pstn_number_invalid" });
  });

  const busy = new VoiceError("rate_limited", "place failed with 429");

  it("[OUT-5a] fails a call at once that the service refused for a moment and then for good", async () => {
    const rig = await startCallRig();
    rig.failures.push(busy, refused);
    await rig.create();
    await rig.place();
    await rig.settle(2000);
    expect(rig.operations()).toEqual(["place", "place"]);
    expect(await rig.record()).toMatchObject({ status: "failed", failureCode: "upstream_unavailable" });
  });

  it("[OUT-5b] says what the service answered where it had too many requests until the call's time was over", async () => {
    const rig = await startCallRig();
    rig.failures.push(...Array.from({ length: 100 }, () => busy));
    await rig.create();
    await rig.place();
    await rig.settle(settings.commCallTimeoutMs + 4000);
    expect(await rig.record()).toMatchObject({
      status: "failed",
      failureCode: "not_handled_in_time",
      failureReason: "the communication service did not take the call in time: place failed with 429",
    });
  });

  it("[OUT-10d] takes no refusal for a moment as a sign that an earlier request was not accepted", async () => {
    const rig = await startCallRig();
    rig.failures.push(lost, busy, refused);
    await rig.create();
    await rig.place();
    await rig.settle(4000);
    expect(rig.operations()).toEqual(["place", "place", "place"]);
    expect((await rig.record()).status).toBe("initiating");
  });

  it("[IN-3] does not answer a call whose event was delivered half a minute after it began to ring", async () => {
    const rig = await startCallRig();
    const ringing = { direction: "inbound", status: "ringing" } as const;
    await rig.create({ ...ringing, rangAtMs: rig.clock.wallNow() - 31_000 });
    await rig.publish("answer:call-1", "call.inbound-received", {
      call_id: "call-1",
      incoming_call_context: "context",
    });
    await rig.settle(2000);
    expect(rig.operations()).toEqual([]);
    expect(await rig.record()).toMatchObject({ status: "failed", failureCode: "not_handled_in_time" });
  });

  it("[END-2b] asks again for a call that was terminated when nobody knew whether its phone rings, to hang it up", async () => {
    const rig = await startCallRig();
    rig.failures.push(lost);
    await rig.create();
    await rig.place();
    await rig.terminate();
    await rig.settle(2000);
    expect(rig.operations()).toEqual(["place", "place", "hangUp"]);
    const { firstAskedAtMs } = await rig.record();
    const repetition = { id: "place:call-1", firstSentAtMs: firstAskedAtMs };
    expect(rig.repetitions().slice(0, 2)).toEqual([repetition, repetition]);
    expect(await rig.record()).toMatchObject({
      status: "failed",
      failureCode: "cancelled",
      callConnectionId: "connection-call-1",
    });
  });

  it("[END-2c] does not ask again for a terminated call of which no phone can ring, or which is over already", async () => {
    for (const begun of [[busy], [lost, refused]]) {
      const rig = await startCallRig();
      rig.failures.push(...begun);
      await rig.create();
      await rig.place();
      if (begun.length > 1) await rig.settle(2000);
      await rig.terminate();
      await rig.settle(4000);
      expect(rig.operations()).toEqual(begun.map(() => "place"));
      expect(await rig.record()).toMatchObject({ status: "failed", failureCode: "cancelled" });
    }
  });

  it("[OUT-5c] does not ask again for a call that was terminated longer ago than a phone rings", async () => {
    const rig = await startCallRig();
    const createdAtMs = rig.clock.wallNow() - settings.commCallTimeoutMs - 1;
    await rig.create({ createdAtMs, firstAskedAtMs: createdAtMs, status: "failed", failureCode: "cancelled" });
    await rig.place();
    expect(rig.operations()).toEqual([]);
  });

  it("[OUT-5c] says that nobody took care of a call whose request was lost, and not that nobody picked up", async () => {
    const rig = await startCallRig();
    await rig.create();
    await rig.settle(settings.commCallTimeoutMs + 4000);
    expect(rig.operations()).toEqual([]);
    expect(await rig.record()).toMatchObject({ status: "failed", failureCode: "not_handled_in_time" });
  });

  it("[OUT-4] hangs up a call that rings too long, also one that another host has placed", async () => {
    const rig = await startCallRig();
    await rig.create({ status: "ringing", callConnectionId: "connection-1" });
    await rig.settle(settings.commCallTimeoutMs - 2000);
    expect(rig.operations()).toEqual([]);
    await rig.settle(4000);
    expect(rig.operations()).toEqual(["hangUp"]);
    expect(await rig.record()).toMatchObject({
      status: "failed",
      failureCode: "no_answer",
      failureReason: "no answer",
    });
  });
});

describe("answering", () => {
  const answer = (rig: CallRig, id: string) =>
    rig.publish(id, "call.inbound-received", { call_id: "call-1", incoming_call_context: "context" });

  it("[IN-1] answers once, however often the event is delivered", async () => {
    const rig = await startCallRig();
    await rig.create({ direction: "inbound", status: "ringing" });
    await answer(rig, "answer:call-1");
    await answer(rig, "answer:call-1");
    await answer(rig, "answer:call-1-again");
    expect(rig.operations()).toEqual(["answer"]);
  });

  it("[END-1] lets a caller hear no more ringing whose call was terminated before a host was asked to answer it", async () => {
    const rig = await startCallRig();
    await rig.create({ direction: "inbound", status: "ringing" });
    await rig.terminate();
    await answer(rig, "answer:call-1");
    expect(rig.operations()).toEqual(["reject"]);
    expect(await rig.record()).toMatchObject({ status: "failed", failureCode: "cancelled" });
  });

  it("[IN-3] leaves a call alone whose context is stale", async () => {
    const rig = await startCallRig();
    await rig.create({ direction: "inbound", status: "ringing", createdAtMs: rig.clock.wallNow() - 31_000 });
    await answer(rig, "answer:call-1");
    expect(rig.operations()).toEqual([]);
    expect((await rig.record()).status).toBe("failed");
  });

  const conflict = new VoiceError("conflict", "answered before", { retryable: false });

  it("[IN-5] leaves a call alone whose answer is refused to a repetition, because the first may have been heard", async () => {
    const rig = await startCallRig();
    const gone = new VoiceError("call_not_found", "404");
    rig.failures.push(new VoiceError("upstream_timeout", "no answer in time"), gone);
    await rig.create({ direction: "inbound", status: "ringing" });
    await answer(rig, "answer:call-1");
    await rig.settle(2000);
    expect(rig.operations()).toEqual(["answer", "answer"]);
    expect((await rig.record()).status).toBe("ringing");
    await rig.hear("CallConnected");
    expect((await rig.record()).status).toBe("connected");
    await rig.settle(1000);
    expect(rig.operations()).not.toContain("hangUp");
  });

  it("[IN-5] ends a call whose answer was refused when nothing comes of it", async () => {
    const rig = await startCallRig();
    rig.failures.push(conflict);
    await rig.create({ direction: "inbound", status: "ringing" });
    await answer(rig, "answer:call-1");
    expect((await rig.record()).status).toBe("ringing");
    await rig.settle(32_000);
    expect(await rig.record()).toMatchObject({ status: "failed", failureReason: "the caller has gone" });
  });

  const denied = new VoiceError("call_not_found", "the service knows no such call");

  it("[IN-3] [IN-7c] says that the caller has gone, when the service keeps saying that there is no such call", async () => {
    const rig = await startCallRig();
    rig.failures.push(denied, denied, denied);
    await rig.create({ direction: "inbound", status: "ringing" });
    await answer(rig, "answer:call-1");
    await rig.settle(3000);
    expect(rig.operations()).toEqual(["answer", "answer", "answer"]);
    expect(await rig.record()).toMatchObject({
      status: "failed",
      failureCode: "caller_gone",
      failureBasis: "assumed",
    });
  });

  it("[IN-7c] answers a caller of whom the service first says that it knows no such call", async () => {
    const rig = await startCallRig();
    rig.failures.push(denied, denied);
    await rig.create({ direction: "inbound", status: "ringing" });
    await answer(rig, "answer:call-1");
    await rig.settle(3000);
    expect(rig.operations()).toEqual(["answer", "answer", "answer"]);
    expect(await rig.record()).toMatchObject({ status: "ringing", callConnectionId: "connection-call-1" });
  });

  const elsewhere = new VoiceError("upstream_unavailable", "answering a call failed with 404");

  it("[IN-7a] answers a caller when something else than the service said 404, as soon as the service is there", async () => {
    const rig = await startCallRig();
    rig.failures.push(elsewhere, elsewhere);
    await rig.create({ direction: "inbound", status: "ringing" });
    await answer(rig, "answer:call-1");
    await rig.settle(3000);
    expect(rig.operations()).toEqual(["answer", "answer", "answer"]);
    expect(await rig.record()).toMatchObject({ callConnectionId: "connection-call-1" });
  });

  it("[IN-7b] does not say that a caller has gone whom it could not answer", async () => {
    const rig = await startCallRig();
    rig.failures.push(...Array.from({ length: 20 }, () => elsewhere));
    await rig.create({ direction: "inbound", status: "ringing" });
    await answer(rig, "answer:call-1");
    await rig.settle(35_000);
    expect(await rig.record()).toMatchObject({
      status: "failed",
      failureCode: "not_handled_in_time",
      failureReason: expect.stringContaining("answering a call failed with 404"),
    });
  });

  it("[LOST-7] asks about a call that it has answered, and gets its stream when the report of that is lost", async () => {
    const rig = await startCallRig();
    await rig.create({ direction: "inbound", status: "ringing" });
    await answer(rig, "answer:call-1");
    await rig.settle(13_000);
    expect(rig.operations().slice(0, 3)).toEqual(["answer", "stateOf", "startStream"]);
    expect((await rig.record()).status).toBe("connected");
  });
});

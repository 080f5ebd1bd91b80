import { describe, expect, it } from "vitest";
import { VoiceError } from "@voice/shared/platform/errors";
import { settings, startCallRig } from "../testing/call-rig.ts";
import type { CallRig } from "../testing/call-rig.ts";

describe("placing", () => {
  it("[OUT-1] asks for audio at the rate of the call's mode, and for callbacks to us", async () => {
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
          callbackUrl: "https://voice.example.com/api/v1/calls/callbacks",
          mediaUrl: "wss://voice.example.com/api/v1/media/stream?call_id=call-1&session_id=session-1",
        },
      },
    ]);
    expect(await rig.record()).toMatchObject({ status: "ringing", callConnectionId: "connection-call-1" });
  });

  it("[OUT-2] asks under the same id when the first answer was lost", async () => {
    const rig = await startCallRig();
    rig.failures.push(new VoiceError("upstream_unavailable", "lost"));
    await rig.create();
    await rig.place();
    await rig.settle(2000);
    const ids = rig.requests.map(({ details }) => details["requestId"]);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
    expect((await rig.record()).status).toBe("ringing");
  });

  it("[OUT-5] fails the call when the service refuses for good", async () => {
    const rig = await startCallRig();
    rig.failures.push(new VoiceError("pstn_number_invalid", "no number"));
    await rig.create();
    await rig.place();
    expect(await rig.record()).toMatchObject({ status: "failed", failureReason: "pstn_number_invalid" });
    expect(rig.operations()).toEqual(["place"]);
  });

  it("[OUT-5] does not place a call that was asked for too long ago", async () => {
    const rig = await startCallRig();
    await rig.create({ createdAtMs: rig.clock.wallNow() - settings.commCallTimeoutMs - 1 });
    await rig.place();
    expect(rig.operations()).toEqual([]);
    expect((await rig.record()).status).toBe("failed");
  });

  it("[OUT-4] hangs up a call that rings too long, whoever placed it", async () => {
    const rig = await startCallRig();
    await rig.create({ status: "ringing", callConnectionId: "connection-1" });
    await rig.settle(settings.commCallTimeoutMs - 2000);
    expect(rig.operations()).toEqual([]);
    await rig.settle(4000);
    expect(rig.operations()).toEqual(["hangUp"]);
    expect(await rig.record()).toMatchObject({ status: "failed", failureReason: "no answer" });
  });
});

describe("answering", () => {
  const answer = (rig: CallRig, id: string) =>
    rig.publish(id, "call.inbound-received", { call_id: "call-1", incoming_call_context: "context" });

  it("[IN-1] asks once, whatever is delivered how often", async () => {
    const rig = await startCallRig();
    await rig.create({ direction: "inbound", status: "ringing" });
    await answer(rig, "answer:call-1");
    await answer(rig, "answer:call-1");
    await answer(rig, "answer:call-1-again");
    expect(rig.operations()).toEqual(["answer"]);
  });

  it("[IN-3] lets a call alone whose context is stale", async () => {
    const rig = await startCallRig();
    await rig.create({ direction: "inbound", status: "ringing", createdAtMs: rig.clock.wallNow() - 31_000 });
    await answer(rig, "answer:call-1");
    expect(rig.operations()).toEqual([]);
    expect((await rig.record()).status).toBe("failed");
  });

  it("[IN-3] says that the caller has gone, when nobody is there any more to be answered", async () => {
    const rig = await startCallRig();
    rig.failures.push(new VoiceError("call_not_found", "404"));
    await rig.create({ direction: "inbound", status: "ringing" });
    await answer(rig, "answer:call-1");
    expect(await rig.record()).toMatchObject({ status: "failed", failureReason: "the caller has gone" });
  });
});

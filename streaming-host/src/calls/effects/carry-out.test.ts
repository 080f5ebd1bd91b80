import { VoiceError } from "@voice/shared/platform/errors";
import { describe, expect, it } from "vitest";
import { startConnectedCall } from "../../testing/call-rig.ts";
import type { CallRig } from "../../testing/call-rig.ts";

describe("keys", () => {
  it("[EFFECT-6] [ONCE-5] presses keys once", async () => {
    const rig = await startConnectedCall();
    const effect = { type: "send-dtmf", digits: "1", id: "tool-call-1" } as const;
    const outcomes = [rig.control.carryOut(effect, "connection-1"), rig.control.carryOut(effect, "connection-1")];
    await rig.settle(15_000); // the service may say nothing about it
    expect(await Promise.all(outcomes)).toEqual([{ ok: true }, { ok: true }]);
    // The same wish, from whatever host: the service carries it out once.
    expect(rig.operations()).toEqual(["sendDigits", "sendDigits"]);
    const [first, second] = rig.repetitions();
    expect(second).toEqual(first);
  });

  it("[EFFECT-6] repeats keys that another host was pressing when it died, and none whose outcome is known", async () => {
    const rig = await startConnectedCall();
    const operation = { callId: "call-1", operationContext: "digits:tool-call-1" };
    const { atMs: firstSentAtMs } = await rig.state.callOperations.begin(operation);
    await rig.settle(2000);
    const effect = { type: "send-dtmf", digits: "1", id: "tool-call-1" } as const;
    const outcome = rig.control.carryOut(effect, "connection-1");
    await rig.settle();
    expect(rig.repetitions()).toEqual([{ id: "digits:tool-call-1", firstSentAtMs }]);
    await rig.tell("SendDtmfTonesFailed", "digits:tool-call-1", 500);
    await rig.settle(100);
    expect(await outcome).toMatchObject({ ok: false });
    expect(await rig.control.carryOut(effect, "connection-1")).toEqual(await outcome);
    expect(rig.operations()).toEqual(["sendDigits"]);
  });

  it("[EFFECT-15a] are pressed again, the same, when nobody knows whether they were pressed", async () => {
    const rig = await startConnectedCall();
    rig.failures.push(new VoiceError("upstream_timeout", "no answer"));
    const outcome = rig.control.carryOut({ type: "send-dtmf", digits: "1" }, "connection-1");
    await rig.settle(3000);
    expect(rig.operations()).toEqual(["sendDigits", "sendDigits"]);
    expect(rig.requests[1]).toEqual(rig.requests[0]);
    await rig.settle(13_000);
    expect(await outcome).toEqual({ ok: true });
  });

  it("[EFFECT-15b] were not pressed as far as the caller is told, if the service never answers", async () => {
    const rig = await startConnectedCall();
    rig.during(async () => {
      throw new VoiceError("upstream_timeout", "no answer");
    });
    const outcome = rig.control.carryOut({ type: "send-dtmf", digits: "1" }, "connection-1");
    await rig.settle(30_000);
    expect(await outcome).toEqual({ ok: false, reason: "a fault in the telephone service" });
  });

  it.each([
    ["SendDtmfTonesCompleted", 200, { ok: true }],
    ["SendDtmfTonesFailed", 500, { ok: false }],
  ])("[EFFECT-4] sends digits to the far end and hears of %s", async (type, code, expected) => {
    const rig = await startConnectedCall();
    const outcome = rig.control.carryOut({ type: "send-dtmf", digits: "12#" }, "connection-1");
    await rig.settle();
    expect(rig.requests).toMatchObject([
      { operation: "sendDigits", details: { digits: "12#", to: "+12025550123", callConnectionId: "connection-1" } },
    ]);
    await rig.tell(type, String(rig.requests[0]?.details["operationContext"]), code);
    await rig.settle(1000);
    expect(await outcome).toMatchObject(expected);
  });
});

describe("any effect", () => {
  const hangUp = { type: "hang-up", reason: "done", id: "tool-call-1" } as const;

  async function written({ state }: CallRig): Promise<unknown> {
    return (await state.calls.events("call-1")).filter(({ type }) => type === "effect.hang-up");
  }

  it("is in the call's log, and those who watch hear of it", async () => {
    const rig = await startConnectedCall();
    const shown: string[] = [];
    await rig.state.liveUpdates.watch("all", ({ text }) => shown.push(text));
    expect(await rig.control.carryOut(hangUp, "connection-1")).toEqual({ ok: true });
    expect(await written(rig)).toMatchObject([
      { eventId: "effect:tool-call-1", details: { outcome: "done", reason: "done" } },
    ]);
    expect(shown.join("\n")).toContain('"update":"hang-up done"');
  });

  it("[EFFECT-4] that the service refuses has failed, for a reason that is logged", async () => {
    const rig = await startConnectedCall();
    rig.failures.push(new VoiceError("internal_error", "no"));
    const reason = "a fault in the telephone service";
    expect(await rig.control.carryOut(hangUp, "connection-1")).toEqual({ ok: false, reason });
    expect(await written(rig)).toMatchObject([{ details: { outcome: reason } }]);
  });

  it("[EFFECT-4] has failed while the call cannot be looked up", async () => {
    const rig = await startConnectedCall();
    rig.state.calls.getByConnection = async () => {
      throw new VoiceError("cache_connection_failed", "away");
    };
    expect(await rig.control.carryOut(hangUp, "connection-1")).toMatchObject({ ok: false });
  });

  it("does nothing to a call that is over", async () => {
    const rig = await startConnectedCall();
    await rig.become("disconnected");
    expect(await rig.control.carryOut({ type: "hang-up", reason: "done" }, "connection-1")).toMatchObject({
      ok: false,
    });
    expect(rig.operations()).toEqual([]);
  });
});

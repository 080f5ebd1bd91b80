import { describe, expect, it } from "vitest";
import { VoiceError } from "@voice/shared/platform/errors";
import { effectWords } from "../session/host-effects.ts";
import { startConnectedCall } from "../testing/call-rig.ts";

describe("a transfer", () => {
  const escalate = { type: "escalate", reason: "asked" } as const;

  it("[EFFECT-5] escalates to the person in the settings, and resolves when they have taken the call", async () => {
    const rig = await startConnectedCall();
    const outcome = rig.control.carryOut(escalate, "connection-1");
    await rig.settle(1000);
    expect(rig.requests).toMatchObject([{ operation: "transfer", details: { target: "+12025550150" } }]);
    await rig.tell("CallTransferAccepted", "transfer:call-1:0");
    await rig.settle(1000);
    expect(await outcome).toEqual({ ok: true });
  });

  it("[EFFECT-1] refuses a second transfer while one is under way, and allows it when that has failed", async () => {
    const rig = await startConnectedCall();
    const first = rig.control.carryOut(escalate, "connection-1");
    await rig.settle();
    expect(await rig.control.carryOut(escalate, "connection-1")).toMatchObject({ ok: false });
    await rig.tell("CallTransferFailed", "transfer:call-1:0", 486);
    await rig.settle(1000);
    expect(await first).toEqual({ ok: false, reason: "busy" });
    const again = rig.control.carryOut(escalate, "connection-1");
    await rig.settle();
    await rig.tell("CallTransferAccepted", "transfer:call-1:1");
    await rig.settle(1000);
    expect(await again).toEqual({ ok: true });
    expect(rig.operations()).toEqual(["transfer", "transfer"]);
  });

  it("[EFFECT-4] gives a reason that can be said, and writes it down", async () => {
    const rig = await startConnectedCall();
    rig.failures.push(new VoiceError("pstn_number_invalid", "internal details"));
    const transfer = { type: "transfer", target: "+1", reason: "asked" } as const;
    expect(await rig.control.carryOut(transfer, "connection-1")).toEqual({
      ok: false,
      reason: "the number is not valid",
    });
    const unknown = { type: "transfer", target: "claims", reason: "asked" } as const;
    expect(await rig.control.carryOut(unknown, "connection-1")).toMatchObject({ ok: false });
    const log = await rig.state.calls.events("call-1");
    expect(log.map(({ type }) => type)).toContain("transfer.failed");
  });

  it("[EFFECT-6] [TAKE-5] waits for a transfer that another host has begun, and asks the service no second one", async () => {
    const rig = await startConnectedCall();
    const effect = { ...escalate, id: "tool-call-1" };
    void rig.control.carryOut(effect, "connection-1");
    await rig.settle(1000);
    const again = rig.control.carryOut(effect, "connection-1");
    await rig.settle(1000);
    const ids = rig.requests.map(({ details }) => details["requestId"]);
    expect(ids).toEqual(["transfer:call-1:0", "transfer:call-1:0"]); // for the service, one request
    await rig.tell("CallTransferFailed", "transfer:call-1:0", 486);
    await rig.settle(1000);
    expect(await again).toEqual({ ok: false, reason: "busy" });
  });

  it("[EFFECT-6] says again how a transfer went that is over", async () => {
    const rig = await startConnectedCall();
    const effect = { ...escalate, id: "tool-call-1" };
    const first = rig.control.carryOut(effect, "connection-1");
    await rig.settle(1000);
    await rig.tell("CallTransferFailed", "transfer:call-1:0", 486);
    await rig.settle(1000);
    expect(await rig.control.carryOut(effect, "connection-1")).toEqual(await first);
    expect(rig.operations()).toEqual(["transfer"]);
  });

  it("[EFFECT-4] [CACHE-1] takes an effect for done that could not be written down, and waits for news of a transfer", async () => {
    const rig = await startConnectedCall();
    const outcome = rig.control.carryOut(escalate, "connection-1");
    await rig.settle(1000);
    const { events } = rig.state.calls;
    const away = (): Promise<never> => Promise.reject(new VoiceError("cache_connection_failed", "away"));
    Object.assign(rig.state.calls, { events: away });
    await rig.settle(2000);
    Object.assign(rig.state.calls, { events });
    await rig.tell("CallTransferAccepted", "transfer:call-1:0");
    Object.assign(rig.state.calls, { appendEvent: away });
    await rig.settle(1000);
    expect(await outcome).toEqual({ ok: true });
  });

  it("[EFFECT-4] tells one transfer that is under way from one that failed", async () => {
    const rig = await startConnectedCall();
    void rig.control.carryOut(escalate, "connection-1");
    await rig.settle();
    const again = await rig.control.carryOut(escalate, "connection-1");
    expect(effectWords(escalate, again)).toBe("patience");
  });

  it("[EFFECT-8] tells whoever takes the call why, and by what id the conversation is found", async () => {
    const rig = await startConnectedCall();
    void rig.control.carryOut(escalate, "connection-1");
    await rig.settle();
    const context = { Reason: "asked", "Session-Id": "session-1" };
    expect(rig.requests).toMatchObject([{ operation: "transfer", details: { context } }]);
  });
});

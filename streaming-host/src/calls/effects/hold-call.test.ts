import { describe, expect, it } from "vitest";
import { VoiceError } from "@voice/shared/platform/errors";
import { startCallRig, startConnectedCall } from "../../testing/call-rig.ts";

async function hearsMusic(rig: Awaited<ReturnType<typeof startConnectedCall>>, isOn: boolean): Promise<void> {
  const { version } = await rig.record();
  const participants = [{ id: "4:+12025550123", role: "caller", status: isOn ? "on_hold" : "connected" }];
  await rig.state.calls.update("call-1", version, { participants });
}

describe("a hold", () => {
  it("[EFFECT-7a] [EFFECT-7b] holds for as long as asked, and gives the call back", async () => {
    const rig = await startConnectedCall();
    const outcome = rig.control.carryOut({ type: "hold", seconds: 30 }, "connection-1");
    await rig.settle(29_000);
    expect(rig.requests).toMatchObject([{ operation: "hold", details: { to: "+12025550123" } }]);
    expect((await rig.record()).status).toBe("on_hold");
    await rig.settle(2000);
    expect(await outcome).toEqual({ ok: true });
    expect(rig.operations()).toEqual(["hold", "unhold"]);
    expect((await rig.record()).status).toBe("connected");
  });

  it.each([
    [{ callerNumber: "+12025550123", callerRawId: "4:+12025550123" }, "+12025550123"],
    [{ callerRawId: "8:acs:resource_user" }, "8:acs:resource_user"],
    [{ callerRawId: "4:1001" }, "4:1001"],
    [{ callerRawId: "4:anonymous" }, "4:anonymous"],
  ])("[EFFECT-7a] holds a caller whom the service announced as %o under the id %s", async (caller, to) => {
    const rig = await startCallRig();
    await rig.create({ status: "connected", callConnectionId: "connection-1", direction: "inbound", ...caller });
    void rig.control.carryOut({ type: "hold", seconds: 30 }, "connection-1");
    await rig.settle(1000);
    expect(rig.requests).toMatchObject([{ operation: "hold", details: { to } }]);
  });

  it("[EFFECT-7c] goes on at once when the service cannot hold the call", async () => {
    const rig = await startConnectedCall();
    const outcome = rig.control.carryOut({ type: "hold", seconds: 30, id: "tool-1" }, "connection-1");
    await rig.settle(1000);
    await rig.tell("HoldFailed", "hold:tool-1", 400);
    await rig.settle(1000);
    expect(await outcome).toMatchObject({ ok: false });
    expect((await rig.record()).status).toBe("connected");
  });

  it("[EFFECT-1] [EFFECT-6] does not begin on another host after the caller was told that it failed", async () => {
    const rig = await startConnectedCall();
    const effect = { type: "hold", seconds: 30, id: "tool-1" } as const;
    await rig.become("on_hold");
    const refused = { ok: false, reason: "the call is not connected" };
    expect(await rig.control.carryOut(effect, "connection-1")).toEqual(refused);
    await rig.become("connected");
    expect(await rig.control.carryOut(effect, "connection-1")).toEqual(refused);
    expect(rig.operations()).toEqual([]);
  });

  it("[EFFECT-6] [EFFECT-7d] waits for a hold that another host has begun", async () => {
    const rig = await startConnectedCall();
    const effect = { type: "hold", seconds: 30, id: "tool-1" } as const;
    void rig.control.carryOut(effect, "connection-1");
    await rig.settle(1000);
    await hearsMusic(rig, true);
    await rig.settle(9000);
    const again = rig.control.carryOut(effect, "connection-1");
    await rig.settle(22_000);
    await hearsMusic(rig, false);
    await rig.settle(1000);
    expect(await again).toEqual({ ok: true });
    expect(rig.operations()[0]).toBe("hold");
    expect(rig.operations().filter((operation) => operation === "hold")).toHaveLength(1);
  });

  it.each([
    ["before the record said so", undefined],
    ["before the music played", "on_hold"],
  ] as const)("[EFFECT-6] [EFFECT-7d] plays the music when the host that began it died %s", async (_when, status) => {
    const rig = await startConnectedCall();
    await rig.state.callOperations.begin({ callId: "call-1", operationContext: "hold:tool-1" });
    const { version } = await rig.record();
    const holdUntilMs = rig.clock.wallNow() + 30_000;
    if (status !== undefined) await rig.state.calls.update("call-1", version, { status, holdUntilMs });
    await rig.settle(4000);
    const outcome = rig.control.carryOut({ type: "hold", seconds: 30, id: "tool-1" }, "connection-1");
    await rig.settle(25_000);
    expect(rig.operations()).toEqual(["hold"]);
    await rig.settle(2000);
    expect(await outcome).toEqual({ ok: true });
    expect(rig.operations()).toEqual(["hold", "unhold"]);
    expect(await rig.control.carryOut({ type: "hold", seconds: 30, id: "tool-1" }, "connection-1")).toEqual({
      ok: true,
    });
    expect(rig.operations()).toEqual(["hold", "unhold"]);
  });

  it("[EFFECT-7d] gives the call back on another host when the one that held it is gone", async () => {
    const rig = await startCallRig();
    const holdUntilMs = rig.clock.wallNow() + 20_000;
    await rig.create({ status: "on_hold", callConnectionId: "connection-1", holdUntilMs });
    await rig.settle(19_000);
    expect(rig.operations()).toEqual([]);
    await rig.settle(8000);
    expect(rig.operations()).toEqual(["unhold"]);
    expect((await rig.record()).status).toBe("connected");
  });

  it("[EFFECT-4] [EFFECT-7c] is none when the service refuses it", async () => {
    const rig = await startConnectedCall();
    rig.failures.push(new VoiceError("upstream_unavailable", "refused", { retryable: false }));
    const outcome = await rig.control.carryOut({ type: "hold", seconds: 30 }, "connection-1");
    expect(outcome).toMatchObject({ ok: false });
    expect((await rig.record()).status).toBe("connected");
    await rig.settle(60_000);
    // It might play music all the same: a refusal may be the answer to a second attempt.
    expect(rig.operations()).toEqual(["hold", "unhold"]);
  });

  it("[EFFECT-4] [EFFECT-6] is not tried again by another host when the caller was told that it failed", async () => {
    const rig = await startConnectedCall();
    const effect = { type: "hold", seconds: 30, id: "tool-1" } as const;
    rig.failures.push(new VoiceError("upstream_unavailable", "away", { retryable: false }));
    expect(await rig.control.carryOut(effect, "connection-1")).toMatchObject({ ok: false });
    const another = await rig.startAnotherHost();
    expect(await another.carryOut(effect, "connection-1")).toMatchObject({ ok: false });
    expect(rig.operations()).toEqual(["hold", "unhold"]);
  });

  it("[EFFECT-7b] [EFFECT-9] goes on when the caller hears no music any more, by the service's word", async () => {
    const rig = await startConnectedCall();
    let isOver = false;
    void rig.control.carryOut({ type: "hold", seconds: 5 }, "connection-1").then(() => (isOver = true));
    await rig.settle(1000);
    await hearsMusic(rig, true);
    await rig.settle(5000);
    expect(rig.operations()).toEqual(["hold", "unhold"]);
    expect(isOver).toBe(false);
    await hearsMusic(rig, false);
    await rig.settle(200);
    expect(isOver).toBe(true);
  });

  it("[EFFECT-9] is over at once when the service ends it by itself", async () => {
    const rig = await startConnectedCall();
    const outcome = rig.control.carryOut({ type: "hold", seconds: 60 }, "connection-1");
    await rig.settle(1000);
    await hearsMusic(rig, true);
    await rig.settle(1000);
    await hearsMusic(rig, false);
    await rig.settle(1000);
    expect(await outcome).toEqual({ ok: true });
    expect((await rig.record()).status).toBe("connected");
  });

  it("[EFFECT-9] is over when the service refuses for good to end it", async () => {
    const rig = await startCallRig();
    await rig.create({ status: "on_hold", callConnectionId: "connection-1", holdUntilMs: rig.clock.wallNow() });
    rig.failures.push(new VoiceError("upstream_unavailable", "400", { retryable: false }));
    await rig.settle(20_000);
    expect(rig.operations()).toEqual(["unhold", "participantsOf"]);
    expect((await rig.record()).status).toBe("connected");
  });

  it("[EFFECT-40] is not over when the service refuses to end it and lists the caller as on hold", async () => {
    const rig = await startCallRig();
    await rig.create({ status: "on_hold", callConnectionId: "connection-1", holdUntilMs: rig.clock.wallNow() });
    rig.serviceLists([{ rawId: "4:+12025550123", isOnHold: true }]);
    rig.during(async ({ operation }) => {
      if (operation === "unhold") throw new VoiceError("upstream_unavailable", "403", { retryable: false });
    });
    await rig.settle(20_000);
    expect(rig.operations().filter((operation) => operation === "unhold").length).toBeGreaterThan(4);
    expect((await rig.record()).status).toBe("on_hold");
    rig.serviceLists([{ rawId: "4:+12025550123", isOnHold: false }]);
    await rig.settle(5000);
    expect((await rig.record()).status).toBe("connected");
  });

  it("[EFFECT-40] ends the music of the first request when a repeated one is denied", async () => {
    const rig = await startConnectedCall();
    const effect = { type: "hold", seconds: 60, id: "tool-1" } as const;
    const first = rig.control.carryOut(effect, "connection-1");
    await rig.settle(1000);
    let isDenied = true;
    rig.during(async () => {
      if (isDenied) throw new VoiceError("call_not_found", "denied");
    });
    const another = await rig.startAnotherHost();
    expect(await another.carryOut(effect, "connection-1")).toMatchObject({ ok: false });
    await rig.settle(3000);
    expect(await first).toMatchObject({ ok: false });
    expect((await rig.record()).status).toBe("on_hold");
    isDenied = false;
    rig.requests.length = 0;
    await rig.settle(8000);
    expect(rig.operations()).toContain("unhold");
    expect((await rig.record()).status).toBe("connected");
    await another.close();
  });

  it("[CACHE-1] [EFFECT-7e] gives the caller back in time while the cache is away", async () => {
    const rig = await startConnectedCall();
    const outcome = rig.control.carryOut({ type: "hold", seconds: 30 }, "connection-1");
    await rig.settle(1000);
    const away = (): Promise<never> => Promise.reject(new VoiceError("cache_connection_failed", "away"));
    Object.assign(rig.state.calls, { get: away, getByConnection: away, events: away, update: away, list: away });
    await rig.settle(28_000);
    expect(rig.operations()).toEqual(["hold"]);
    await rig.settle(3000);
    expect(rig.operations()).toEqual(["hold", "unhold"]);
    expect(await outcome).toEqual({ ok: true });
  });

  it("[END-5] [EFFECT-7b] ends with a call that the service has forgotten", async () => {
    const rig = await startCallRig();
    const holdUntilMs = rig.clock.wallNow();
    await rig.create({ status: "on_hold", callConnectionId: "connection-1", holdUntilMs });
    rig.serviceSays("gone");
    rig.failures.push(new VoiceError("call_not_found", "gone"));
    await rig.settle(40_000);
    expect(new Set(rig.operations())).toEqual(new Set(["unhold", "stateOf"]));
    expect((await rig.record()).status).toBe("disconnected");
  });

  it("[EFFECT-30] asks again where the answer is lost, and holds the caller for the whole time", async () => {
    const rig = await startConnectedCall();
    rig.failures.push(lost(), lost());
    const outcome = rig.control.carryOut({ type: "hold", seconds: 30 }, "connection-1");
    await rig.settle(5000);
    expect(rig.operations()).toEqual(["hold", "hold", "hold"]);
    await rig.settle(27_000);
    expect(await outcome).toEqual({ ok: true });
    expect(rig.operations()).toEqual(["hold", "hold", "hold", "unhold"]);
  });

  it("[EFFECT-30] believes the service's list of participants where no answer comes", async () => {
    const rig = await startConnectedCall();
    rig.during(({ operation }) => (operation === "hold" ? new Promise(() => undefined) : Promise.resolve()));
    const outcome = rig.control.carryOut({ type: "hold", seconds: 20 }, "connection-1");
    await rig.settle(1000);
    await hearsMusic(rig, true);
    await rig.settle(18_000);
    expect(rig.operations()).toEqual(["hold"]);
    await hearsMusic(rig, false);
    await rig.settle(1000);
    expect(await outcome).toEqual({ ok: true });
    expect((await rig.record()).status).toBe("connected");
  });

  it("[EFFECT-30] takes the caller back after ten seconds in which nobody knew whether they heard music", async () => {
    const rig = await startConnectedCall();
    rig.during(async ({ operation }) => {
      if (operation === "hold") throw lost();
    });
    const outcome = rig.control.carryOut({ type: "hold", seconds: 300 }, "connection-1");
    await rig.settle(14_000);
    expect(await outcome).toEqual({ ok: false, reason: "a fault in the telephone service" });
    expect(rig.operations().at(-1)).toBe("unhold");
    expect((await rig.record()).status).toBe("connected");
  });

  it("[EFFECT-31] ends the music again until that is known, and does not speak before", async () => {
    const rig = await startConnectedCall();
    let isAway = true;
    rig.during(async ({ operation }) => {
      if (operation === "unhold" && isAway) throw lost();
    });
    let isOver = false;
    const outcome = rig.control.carryOut({ type: "hold", seconds: 5 }, "connection-1").finally(() => (isOver = true));
    await rig.settle(60_000);
    const asked = rig.operations().filter((operation) => operation === "unhold").length;
    expect(asked).toBeGreaterThan(5);
    expect(asked).toBeLessThan(20);
    expect(isOver).toBe(false);
    isAway = false;
    await rig.settle(15_000);
    expect(await outcome).toEqual({ ok: true });
    expect((await rig.record()).status).toBe("connected");
  });

  it("[EFFECT-31] believes the service's list of participants where the answer to ending the music is lost", async () => {
    const rig = await startConnectedCall();
    rig.during(({ operation }) => (operation === "unhold" ? new Promise(() => undefined) : Promise.resolve()));
    const outcome = rig.control.carryOut({ type: "hold", seconds: 5 }, "connection-1");
    await rig.settle(1000);
    await hearsMusic(rig, true);
    await rig.settle(6000);
    expect((await rig.record()).status).toBe("on_hold");
    await hearsMusic(rig, false);
    await rig.settle(1500);
    expect(await outcome).toEqual({ ok: true });
    expect((await rig.record()).status).toBe("connected");
  });
});

const lost = (): VoiceError => new VoiceError("upstream_timeout", "no answer in time");

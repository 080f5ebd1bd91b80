import { describe, expect, it } from "vitest";
import { startCallRig, startConnectedCall } from "../testing/call-rig.ts";

describe("a hold", () => {
  it("[EFFECT-7] holds for as long as asked, and gives the call back", async () => {
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

  it("[EFFECT-7] goes on at once when the service cannot hold the call", async () => {
    const rig = await startConnectedCall();
    const outcome = rig.control.carryOut({ type: "hold", seconds: 30, id: "tool-1" }, "connection-1");
    await rig.settle(1000);
    await rig.tell("HoldFailed", "hold:tool-1", 400);
    await rig.settle(1000);
    expect(await outcome).toMatchObject({ ok: false });
    expect((await rig.record()).status).toBe("connected");
  });

  it("[EFFECT-6] [EFFECT-7] waits for a hold that another host has begun", async () => {
    const rig = await startConnectedCall();
    const effect = { type: "hold", seconds: 30, id: "tool-1" } as const;
    void rig.control.carryOut(effect, "connection-1");
    await rig.settle(10_000);
    const again = rig.control.carryOut(effect, "connection-1");
    await rig.settle(22_000);
    expect(await again).toEqual({ ok: true });
    expect(rig.operations()[0]).toBe("hold");
    expect(rig.operations().filter((operation) => operation === "hold")).toHaveLength(1);
  });

  it("[EFFECT-7] gives the call back on another host when the one that held it is gone", async () => {
    const rig = await startCallRig();
    const holdUntilMs = rig.clock.wallNow() + 20_000;
    await rig.create({ status: "on_hold", callConnectionId: "connection-1", holdUntilMs });
    await rig.settle(19_000);
    expect(rig.operations()).toEqual([]);
    await rig.settle(8000);
    expect(rig.operations()).toEqual(["unhold"]);
    expect((await rig.record()).status).toBe("connected");
  });
});

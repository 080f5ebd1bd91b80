import { describe, expect, it } from "vitest";
import { VoiceError } from "@voice/shared/platform/errors";
import { settings, startCallRig } from "../testing/call-rig.ts";

describe("ending", () => {
  it("[END-1] ends a call that the service has not heard of without asking it", async () => {
    const rig = await startCallRig();
    await rig.create();
    await rig.terminate();
    expect(rig.operations()).toEqual([]);
    expect((await rig.record()).status).toBe("disconnected");
  });

  it("[END-2] hangs up a call that was terminated while it was being placed", async () => {
    const rig = await startCallRig();
    await rig.create();
    rig.during(async ({ operation }) => {
      if (operation !== "place") return;
      const { version } = await rig.record();
      await rig.state.calls.update("call-1", version, { status: "disconnected" });
    });
    await rig.place();
    expect(rig.operations()).toEqual(["place", "hangUp"]);
    expect((await rig.record()).status).toBe("disconnected");
  });

  it("[END-4] ends a call that lasts too long", async () => {
    const rig = await startCallRig();
    await rig.create({ status: "connected", callConnectionId: "connection-1", connectedAtMs: rig.clock.wallNow() });
    await rig.settle(settings.commMaxCallMs);
    expect(rig.operations()).toEqual([]); // the host that talks on it says goodbye first
    await rig.settle(45_000);
    expect(rig.operations()).toContain("hangUp");
  });

  it("[END-6] leaves a hang-up that fails to the event bus", async () => {
    const rig = await startCallRig();
    await rig.create({ status: "connected", callConnectionId: "connection-1" });
    rig.failures.push(new VoiceError("upstream_unavailable", "away"), new VoiceError("upstream_unavailable", "away"));
    await rig.control.hangUp("connection-1", "caller_silent");
    await rig.settle(5000);
    expect(rig.operations()).toEqual(["hangUp", "hangUp", "hangUp"]);
    expect(new Set(rig.requests.map(({ details }) => details["requestId"])).size).toBe(1);
  });

  it("[END-5] marks a call ended that the service has forgotten", async () => {
    const rig = await startCallRig();
    await rig.create({ status: "connected", callConnectionId: "connection-1" });
    rig.failures.push(new VoiceError("call_not_found", "gone"));
    await rig.terminate();
    expect((await rig.record()).status).toBe("disconnected");
  });
});

describe("the end of a conversation", () => {
  it("[END-6] is tried again by the bus when the service does not take it", async () => {
    const rig = await startCallRig();
    await rig.create({ status: "connected", callConnectionId: "connection-1" });
    rig.failures.push(new VoiceError("upstream_unavailable", "503"), new VoiceError("upstream_unavailable", "503"));
    await rig.control.hangUp("connection-1", "caller_silent");
    await rig.settle(2000);
    expect(rig.operations()).toEqual(["hangUp", "hangUp", "hangUp"]);
    expect(new Set(rig.requests.map(({ details }) => details["requestId"]))).toEqual(new Set(["hang-up:call-1"]));
  });

  it("[CACHE-4] ends the call without its record, when the cache has lost it", async () => {
    const rig = await startCallRig();
    await rig.control.hangUp("connection-1", "caller_silent");
    expect(rig.operations()).toEqual(["hangUp"]);
  });

  it("[CACHE-4] ends the call without its record, while the cache is away", async () => {
    const rig = await startCallRig();
    Object.assign(rig.state.calls, {
      getByConnection: () => Promise.reject(new VoiceError("cache_connection_failed", "away")),
    });
    await rig.control.hangUp("connection-1", "caller_silent");
    expect(rig.requests).toMatchObject([{ operation: "hangUp", details: { callConnectionId: "connection-1" } }]);
  });
});

describe("a draining host", () => {
  it("[DRAIN-4] leaves events to others, and still ends its own calls", async () => {
    const rig = await startCallRig();
    await rig.create();
    await rig.control.drain();
    await rig.place();
    expect(rig.operations()).toEqual([]);
    const { version } = await rig.record();
    await rig.state.calls.update("call-1", version, { status: "connected", callConnectionId: "connection-1" });
    await rig.control.hangUp("connection-1", "caller_silent");
    expect(rig.operations()).toEqual(["hangUp"]);
  });
});

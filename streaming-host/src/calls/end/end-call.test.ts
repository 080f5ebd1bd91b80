import { describe, expect, it } from "vitest";
import { VoiceError } from "@voice/shared/platform/errors";
import { settings, startCallRig } from "../../testing/call-rig.ts";

describe("ending", () => {
  it("[END-1] ends a call that the service has not heard of without asking it", async () => {
    const rig = await startCallRig();
    await rig.create();
    await rig.terminate();
    expect(rig.operations()).toEqual([]);
    expect(await rig.record()).toMatchObject({ status: "failed", failureCode: "cancelled" });
  });

  it("[END-2a] hangs up a call that was terminated while it was being placed", async () => {
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
    const [first] = rig.repetitions();
    expect(rig.repetitions()).toEqual([first, first, first]);
  });

  it("[END-9] asks again until the phone stops ringing when the service refuses to hang up", async () => {
    const rig = await startCallRig();
    await rig.create({ status: "ringing", callConnectionId: "connection-1" });
    const refused = new VoiceError("conflict", "not established", { retryable: true });
    rig.failures.push(refused, refused, refused);
    await rig.terminate();
    await rig.settle(3500);
    expect(rig.operations()).toEqual(["hangUp", "hangUp", "hangUp", "hangUp"]);
    // The answer to a repetition would be the refusal.
    expect(new Set(rig.repetitions().map((repetition) => JSON.stringify(repetition))).size).toBe(4);
    expect((await rig.record()).status).toBe("failed");
  });

  it("[END-9] [OUT-4] asks again for a call that rang too long, and stops when the service says that it is over", async () => {
    const rig = await startCallRig();
    await rig.create({ status: "ringing", callConnectionId: "connection-1" });
    const refused = new VoiceError("conflict", "not established", { retryable: true });
    rig.failures.push(...Array.from({ length: 50 }, () => refused));
    await rig.settle(settings.commCallTimeoutMs + 5000);
    expect(rig.operations().length).toBeGreaterThan(2);
    expect(await rig.record()).toMatchObject({ status: "failed", failureReason: "no answer" });
    await rig.hear("CallDisconnected");
    await rig.settle(1000);
    const asked = rig.operations().length;
    await rig.settle(10_000);
    expect(rig.operations()).toHaveLength(asked);
  });

  it("[OUT-4] ends overdue calls one by one, whatever the service makes of the others", async () => {
    const rig = await startCallRig();
    for (const callId of ["call-1", "call-2", "call-3"])
      await rig.create({ callId, status: "connected", callConnectionId: callId, connectedAtMs: rig.clock.wallNow() });
    Object.assign(rig.state.events, { publish: () => Promise.reject(new VoiceError("internal_error", "no bus")) });
    rig.failures.push(new VoiceError("upstream_unavailable", "refused", { retryable: false }));
    await rig.settle(settings.commMaxCallMs + 36_000);
    const ended = rig.requests.map(({ details }) => details["callConnectionId"]);
    expect(ended.slice(0, 3)).toEqual(["call-1", "call-2", "call-3"]);
  });

  it("[END-5] marks a call ended that the service has forgotten", async () => {
    const rig = await startCallRig();
    await rig.create({ status: "connected", callConnectionId: "connection-1" });
    rig.serviceSays("gone");
    rig.failures.push(new VoiceError("call_not_found", "gone"));
    await rig.terminate();
    await rig.settle(6000);
    expect((await rig.record()).status).toBe("disconnected");
  });
});

describe("the end of a conversation", () => {
  it("[END-6] is tried again by the bus when the service does not take it", async () => {
    const rig = await startCallRig();
    await rig.create({ status: "connected", callConnectionId: "connection-1" });
    rig.failures.push(new VoiceError("upstream_unavailable", "503"), new VoiceError("upstream_unavailable", "503"));
    const firstSentAtMs = rig.clock.wallNow();
    await rig.control.hangUp("connection-1", "caller_silent");
    await rig.settle(2000);
    expect(rig.operations()).toEqual(["hangUp", "hangUp", "hangUp"]);
    const repetition = { id: "hang-up:call-1", firstSentAtMs };
    expect(rig.repetitions()).toEqual([repetition, repetition, repetition]);
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

describe("a call that is picked up after its end", () => {
  it("[END-7] is hung up", async () => {
    const rig = await startCallRig();
    await rig.create({ status: "failed", callConnectionId: "connection-1" });
    await rig.hear("CallConnected");
    expect(rig.requests).toMatchObject([{ operation: "hangUp", details: { callConnectionId: "connection-1" } }]);
  });

  it("[END-7] is hung up by the bus when the service does not take it at once", async () => {
    const rig = await startCallRig();
    await rig.create({ status: "disconnected", callConnectionId: "connection-1" });
    rig.failures.push(new VoiceError("upstream_unavailable", "503"));
    await rig.hear("CallConnected");
    await rig.settle(2000);
    expect(rig.operations()).toEqual(["hangUp", "hangUp"]);
  });

  it("[CB-3] [END-7] is left alone when the service has said that it is over", async () => {
    const rig = await startCallRig();
    await rig.create({ status: "disconnected", callConnectionId: "connection-1" });
    await rig.hear("CallDisconnected");
    await rig.hear("CallConnected");
    expect(rig.operations()).toEqual([]);
  });

  it("[OUT-3b] [OUT-3d] tells those who watch why nobody talked on a call that ended while it rang", async () => {
    const rig = await startCallRig();
    await rig.create({ status: "ringing", callConnectionId: "connection-1" });
    const shown: string[] = [];
    await rig.state.liveUpdates.watch("all", ({ text }) => shown.push(text));
    await rig.hear("CallDisconnected");
    expect(shown.join("\n")).toContain('"failure":{"code":"no_answer","reason":"no answer"}');
  });

  it("[MEDIA-6] [OUT-4] is not hung up for ringing too long when it is picked up at that moment", async () => {
    const rig = await startCallRig();
    const { createdAtMs } = await rig.create({ status: "ringing", callConnectionId: "connection-1" });
    const limitMs = createdAtMs + settings.commCallTimeoutMs;
    const list = rig.state.calls.list.bind(rig.state.calls);
    let found = 0;
    const pickedUpMeanwhile: typeof list = async (query) => {
      const page = await list(query);
      // It is counted first, and then found.
      if (query.status === "ringing" && rig.clock.wallNow() > limitMs && ++found === 2) await rig.become("connected");
      return page;
    };
    Object.assign(rig.state.calls, { list: pickedUpMeanwhile });
    await rig.settle(settings.commCallTimeoutMs + 2000);
    expect(found).toBeGreaterThan(1);
    expect(rig.operations()).toEqual([]);
    expect((await rig.record()).status).toBe("connected");
  });
});

describe("the audio of a call", () => {
  it("[MEDIA-6] says that it was picked up, when its callback is late", async () => {
    const rig = await startCallRig();
    const call = await rig.create({ status: "ringing", direction: "inbound" });
    await rig.control.recordStream(call, "connection-1");
    await rig.settle(60_000);
    expect(rig.operations()).toEqual(["stateOf"]);
    const known = { status: "connected", callConnectionId: "connection-1", connectedAtMs: expect.any(Number) };
    expect(await rig.record()).toMatchObject(known);
  });

  it("[MEDIA-6] [CB-2] changes nothing of a call that is over", async () => {
    const rig = await startCallRig();
    const call = await rig.create({ status: "ringing" });
    await rig.become("disconnected");
    await rig.control.recordStream(call, "connection-1");
    expect((await rig.record()).status).toBe("disconnected");
  });
});

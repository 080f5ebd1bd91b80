import { VoiceError } from "@voice/shared/platform/errors";
import { describe, expect, it } from "vitest";
import { startCallRig } from "../../testing/call-rig.ts";
import type { CallRig } from "../../testing/call-rig.ts";

async function connectedCall(environment: Readonly<Record<string, string>> = {}): Promise<CallRig> {
  const rig = await startCallRig(environment);
  await rig.create({ status: "connected", callConnectionId: "connection-1" });
  return rig;
}

const away = (): Promise<never> => Promise.reject(new VoiceError("cache_connection_failed", "away"));

const failed = (rig: CallRig, id: string, stream = "MediaStreaming"): Promise<void> =>
  rig.hear(`${stream}Failed`, { eventId: id });

/** The bus gives the event to another host, because the first one died before it had finished. */
function failedAgain(rig: CallRig): Promise<void> {
  const callback_type = "Microsoft.Communication.MediaStreamingFailed";
  const data = { call_id: "call-1", call_connection_id: "connection-1", callback_type, payload: {} };
  return rig.publish("callback:1-again", "call.callback-received", data);
}

describe("a stream that fails", () => {
  it("[MEDIA-2a] is opened again", async () => {
    const rig = await connectedCall();
    await rig.hear("MediaStreamingStarted");
    await failed(rig, "1");
    expect(rig.operations()).toEqual(["startStream"]);
  });

  it("[MEDIA-2e] [ONCE-2] is left alone when it is open again and the failure is handled a second time", async () => {
    const rig = await connectedCall();
    await failed(rig, "1");
    await rig.hear("MediaStreamingStarted");
    await failedAgain(rig);
    expect(rig.operations()).toEqual(["startStream"]);
  });

  it("[MEDIA-2a] [MEDIA-2b] [MEDIA-9] is retried with growing delays; after 15 s of silence the caller hears why and is hung up", async () => {
    const rig = await connectedCall();
    for (const id of ["1", "2", "3"]) await failed(rig, id);
    expect(rig.operations()).toEqual(["startStream"]);
    await rig.settle(12_000);
    const attempts = rig.operations();
    expect(new Set(attempts)).toEqual(new Set(["startStream"]));
    expect(attempts.length).toBeGreaterThan(3);
    await rig.settle(5000);
    expect(rig.operations().slice(-2)).toEqual(["play", "hangUp"]);
    expect((await rig.state.calls.events("call-1")).map(({ type }) => type)).toContain("stream.lost");
  });

  it("[MEDIA-2c] gives a call that stays silent to a person, where the settings say so", async () => {
    const rig = await connectedCall({ COMM_WHEN_SILENT: "person" });
    await failed(rig, "1");
    await rig.settle(17_000);
    expect(rig.requests.at(-1)).toMatchObject({ operation: "transfer", details: { target: "+12025550150" } });
    await rig.hear("CallTransferFailed", { context: "transfer:silent:call-1", code: 486 });
    await rig.settle(2000);
    expect(rig.operations().slice(-2)).toEqual(["play", "hangUp"]);
  });

  it("[MEDIA-2a] never ends a call whose stream is always reopened, however many hosts it loses", async () => {
    const rig = await connectedCall();
    for (const id of ["1", "2", "3", "4", "5", "6"]) {
      await failed(rig, id);
      await rig.hear("MediaStreamingStarted", { eventId: `started ${id}` });
      await rig.settle(4000);
    }
    expect(rig.operations().filter((operation) => operation !== "startStream")).toEqual([]);
  });

  it("[MEDIA-2b] ends a call whose stream breaks as soon as it is open, again and again", async () => {
    const rig = await connectedCall();
    for (let count = 0; count < 8; count++) {
      await failed(rig, `${count}`);
      await rig.hear("MediaStreamingStarted", { eventId: `started ${count}` });
    }
    await rig.settle(2000);
    expect(rig.operations().slice(-2)).toEqual(["play", "hangUp"]);
  });

  it("[MEDIA-2d] [MEDIA-5] is the transcription's where that has failed", async () => {
    const rig = await startCallRig();
    await rig.create({ status: "connected", callConnectionId: "connection-1", streamingMode: "TRANSCRIPTION" });
    await failed(rig, "1", "Transcription");
    expect(rig.requests).toMatchObject([{ operation: "startStream", details: { kind: "transcript" } }]);
  });
});

describe("a stream of which the service says that it has ended, while its audio arrives", () => {
  it.each(["MediaStreamingFailed", "MediaStreamingStopped", "TranscriptionFailed", "TranscriptionStopped"])(
    "[LOST-21] keeps its lease and is not opened a second time: %s",
    async (event) => {
      const rig = await connectedCall();
      rig.control.carryStream(await rig.record());
      await rig.settle(1000);
      const holder = await rig.state.callStreams.holderOf("call-1");
      for (const id of ["1", "2", "3", "4", "5", "6", "7", "8", "9"]) await rig.hear(event, { eventId: id });
      expect(await rig.state.callStreams.holderOf("call-1")).toBe(holder);
      await rig.settle(30_000);
      await rig.hear(event, { eventId: "10" });
      await rig.settle(20_000);
      expect(rig.operations()).toEqual([]);
      expect((await rig.record()).streamFailures?.every(({ isMended }) => isMended) ?? true).toBe(true);
    },
  );

  it("[LOST-21] [MEDIA-2a] is opened again within 3 s when it ends all the same", async () => {
    const rig = await connectedCall();
    const letGo = rig.control.carryStream(await rig.record());
    await rig.settle(1000);
    await failed(rig, "1");
    letGo();
    await rig.settle(3000);
    expect(rig.operations()).toEqual(["startStream"]);
  });
});

describe("a stream that has failed with its host", () => {
  /** The lease of the host that died has 2 s left. */
  async function callOfDeadHost(): Promise<CallRig> {
    const rig = await connectedCall();
    await rig.startAnotherHost();
    rig.control.carryStream(await rig.record());
    await rig.settle(1000);
    await rig.control.close(); // it says nothing of what it had, as if it had died
    return rig;
  }

  it("[LOST-23] [MEDIA-2a] [ONCE-2] is requested again 0.3 s after the report, once", async () => {
    const rig = await callOfDeadHost();
    await failed(rig, "1");
    await failedAgain(rig);
    await rig.settle(250);
    expect(rig.operations()).toEqual([]);
    await rig.settle(100);
    expect(rig.operations()).toEqual(["startStream"]);
    await rig.hear("MediaStreamingStarted");
    await rig.settle(500);
    expect(rig.operations()).toEqual(["startStream"]);
  });

  it("[LOST-23] [MEDIA-8d] is not requested where the call is hung up meanwhile, which does not wait for the answer", async () => {
    const rig = await callOfDeadHost();
    await failed(rig, "1");
    await rig.terminate();
    expect(rig.operations()).toEqual(["hangUp"]);
    await rig.settle(1000);
    expect(rig.operations()).toEqual(["hangUp"]);
  });

  it.each([
    [
      "the question reaches nobody",
      (rig: CallRig) => void Object.assign(rig.state.broadcasts, { send: () => undefined }),
    ],
    ["the store is away", (rig: CallRig) => void Object.assign(rig.state.callStreams, { revoke: away })],
    [
      "its host is of a version that receives no questions",
      (rig: CallRig) => void rig.state.callStreams.hold({ id: "call-1", holder: "older" }, 2000),
    ],
    ["the service opens failed streams again by itself", (rig: CallRig) => rig.serviceReopensStreams()],
  ])("[LOST-24] is requested again when the lease is over, where %s", async (_, happen) => {
    const rig = await callOfDeadHost();
    happen(rig);
    await failed(rig, "1");
    await rig.settle(1000);
    expect(rig.operations()).toEqual([]);
    await rig.settle(2000);
    expect(rig.operations()).toEqual(["startStream"]);
  });

  it("[LOST-24] is requested again when the lease is over, where the host that asks dies as well", async () => {
    const rig = await connectedCall();
    await rig.state.callStreams.hold({ id: "call-1", holder: "asked:dead" }, 2000);
    await failed(rig, "1");
    await rig.control.close();
    await rig.startAnotherHost();
    await rig.settle(1000);
    expect(rig.operations()).toEqual([]);
    await rig.settle(2000);
    expect(rig.operations()).toEqual(["startStream"]);
  });
});

describe("a host that answers too late that it has a stream", () => {
  async function callOfSlowHost(): Promise<CallRig> {
    const rig = await connectedCall();
    rig.control.carryStream(await rig.record());
    await rig.settle(1000);
    const { renew } = rig.state.callStreams;
    Object.assign(rig.state.callStreams, { renew: away });
    await failed(rig, "1");
    await rig.settle(320);
    Object.assign(rig.state.callStreams, { renew });
    expect(rig.operations()).toEqual(["startStream"]);
    return rig;
  }

  it("[LOST-25] has it again where no other host has opened one, and none is requested again", async () => {
    const rig = await callOfSlowHost();
    await rig.settle(1500);
    expect(await rig.state.callStreams.holderOf("call-1")).toBeDefined();
    await rig.settle(20_000);
    expect(rig.operations()).toEqual(["startStream"]);
    expect((await rig.record()).streamFailures?.every(({ isMended }) => isMended)).toBe(true);
  });

  it("[LOST-25] leaves it to the host that has opened one", async () => {
    const rig = await callOfSlowHost();
    const lease = { id: "call-1", holder: "asked:new" };
    await rig.state.callStreams.hold(lease, 60_000);
    await rig.settle(5000);
    expect(await rig.state.callStreams.holderOf("call-1")).toBe(lease.holder);
    expect(rig.operations()).toEqual(["startStream"]);
  });
});

describe("a connected call without a stream", () => {
  it("[MEDIA-10] includes one whose socket delivers no audio, until audio comes again", async () => {
    const rig = await connectedCall();
    await rig.hear("CallConnected");
    let flows = true;
    const letGo = rig.control.carryStream(await rig.record(), () => flows);
    await rig.settle(10_000);
    expect(rig.operations()).toEqual([]);
    flows = false;
    await rig.settle(3000);
    expect(rig.operations()).toEqual(["startStream"]);
    flows = true;
    await rig.settle(20_000);
    expect(rig.operations()).toEqual(["startStream"]);
    expect((await rig.record()).streamFailures?.every(({ isMended }) => isMended)).toBe(true);
    letGo();
  });

  it("[LOST-25] [MEDIA-10] is none where another host has opened a stream, whatever comes again on a socket that was silent", async () => {
    const rig = await connectedCall();
    let flows = true;
    rig.control.carryStream(await rig.record(), () => flows);
    await rig.settle(1000);
    flows = false;
    await rig.settle(3000);
    await rig.state.callStreams.hold({ id: "call-1", holder: "asked:new" }, 60_000);
    flows = true;
    await rig.settle(5000);
    expect(await rig.state.callStreams.holderOf("call-1")).toBe("asked:new");
  });

  it("[MEDIA-8a] is found when no stream ever comes and no event reports it", async () => {
    const rig = await connectedCall();
    await rig.hear("CallConnected");
    await rig.settle(2000);
    expect(rig.operations()).toEqual([]);
    await rig.settle(1000);
    expect(rig.operations()).toEqual(["startStream"]);
  });

  it("[MEDIA-8b] is none while a host has its stream, and is found within 3 s of its death", async () => {
    const rig = await connectedCall();
    const call = await rig.record();
    rig.control.carryStream(call);
    await rig.settle(20_000);
    expect(rig.operations()).toEqual([]);
    const survivor = await rig.startAnotherHost();
    await rig.control.close(); // it says nothing of what it had, as if it had died
    await rig.settle(3000);
    expect(rig.operations()).toEqual(["startStream"]);
    await survivor.close();
  });

  it("[MEDIA-8c] is left to the service for a second after a host has closed its stream", async () => {
    const rig = await connectedCall();
    const letGo = rig.control.carryStream(await rig.record());
    await rig.settle(5000);
    letGo();
    await rig.settle(1000);
    const takenOver = rig.control.carryStream(await rig.record());
    await rig.settle(5000);
    expect(rig.operations()).toEqual([]);
    takenOver();
    await rig.settle(2500);
    expect(rig.operations()).toEqual(["startStream"]);
  });

  it("[MEDIA-8a] is given a new stream when the service has stopped it by itself", async () => {
    const rig = await connectedCall();
    let flows = true;
    rig.control.carryStream(await rig.record(), () => flows);
    await rig.settle(1000);
    flows = false;
    await rig.hear("MediaStreamingStopped");
    await rig.settle(3000);
    expect(rig.operations()).toEqual(["startStream"]);
  });

  it("[MEDIA-8d] [END-10b] is ended where its conversation is over and hanging up was lost", async () => {
    const rig = await connectedCall();
    const letGo = rig.control.carryStream(await rig.record());
    await rig.settle(1000);
    await rig.control.hangUp("connection-1", "caller_silent");
    rig.serviceSays("connected");
    letGo();
    await rig.settle(11_000);
    expect(rig.operations()).toEqual(["hangUp", "stateOf", "hangUp"]);
    // The answer to a repetition would be that of the request that was lost.
    expect(rig.repetitions()[0]).not.toEqual(rig.repetitions()[2]);
  });

  it("[MEDIA-2a] [END-3] gets no stream again once its conversation is over, but is ended", async () => {
    const rig = await connectedCall({ COMM_WHEN_SILENT: "person" });
    const letGo = rig.control.carryStream(await rig.record());
    await rig.control.hangUp("connection-1", "caller_silent");
    letGo();
    await failed(rig, "1");
    await rig.settle(20_000);
    expect(rig.operations().slice(0, 2)).toEqual(["hangUp", "stateOf"]);
    expect(new Set(rig.operations())).toEqual(new Set(["hangUp", "stateOf"]));
    expect((await rig.record()).status).toBe("disconnected");
  });

  it("[MEDIA-8d] is over when the service does not know it any more", async () => {
    const rig = await connectedCall();
    rig.failures.push(new VoiceError("call_not_found", "404"));
    await rig.hear("CallConnected");
    const connectedAtMs = rig.clock.wallNow();
    rig.serviceSays("gone");
    await rig.settle(30_000);
    const { status, endedAtMs = 0 } = await rig.record();
    expect(status).toBe("disconnected");
    // Its duration does not contain the time in which that was doubted.
    expect(endedAtMs - connectedAtMs).toBeLessThan(4000);
  });

  it("[MEDIA-8e] [CACHE-1] is not searched for while hosts cannot renew their leases", async () => {
    const rig = await connectedCall();
    rig.control.carryStream(await rig.record());
    await rig.settle(1000);
    const { renew } = rig.state.callStreams;
    Object.assign(rig.state.callStreams, { renew: away });
    await rig.settle(10_000);
    Object.assign(rig.state.callStreams, { renew });
    await rig.settle(10_000);
    expect(rig.operations()).toEqual([]);
  });

  it("[MEDIA-8e] [CACHE-1] is none when its host reaches the store again later than another host", async () => {
    const rig = await connectedCall();
    rig.control.carryStream(await rig.record());
    const other = await rig.startAnotherHost();
    await rig.settle(1000);
    const { renew } = rig.state.callStreams;
    Object.assign(rig.state.callStreams, { renew: away });
    await rig.settle(10_000);
    // The other host has no call of its own.
    const back: typeof renew = (holds) => (holds.length > 0 ? away() : Promise.resolve([]));
    Object.assign(rig.state.callStreams, { renew: back });
    await rig.settle(5000);
    Object.assign(rig.state.callStreams, { renew });
    await rig.settle(10_000);
    expect(rig.operations()).toEqual([]);
    await Promise.all([other.close(), rig.settle(5000)]);
  });
});

describe("a call without events", () => {
  it("[LOST-1] is looked up after a minute, and continues if it exists", async () => {
    const rig = await connectedCall();
    await rig.hear("CallConnected");
    rig.control.carryStream(await rig.record());
    await rig.settle(55_000);
    expect(rig.operations()).toEqual([]);
    await rig.settle(12_000);
    expect(rig.operations()).toEqual(["stateOf"]);
    expect((await rig.record()).status).toBe("connected");
  });

  it("[LOST-1] is ended within two minutes if the service does not know it any more", async () => {
    const rig = await connectedCall();
    await rig.hear("CallConnected");
    const letGo = rig.control.carryStream(await rig.record());
    await rig.settle(50_000);
    letGo();
    rig.serviceSays("gone");
    await rig.settle(60_000);
    expect(await rig.record()).toMatchObject({ status: "disconnected", endedAtMs: expect.any(Number) });
  });
});

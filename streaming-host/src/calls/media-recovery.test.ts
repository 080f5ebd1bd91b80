import { describe, expect, it } from "vitest";
import { startCallRig } from "../testing/call-rig.ts";
import type { CallRig } from "../testing/call-rig.ts";

describe("media", () => {
  const failed = async (rig: CallRig, id: string, stream = "MediaStreaming"): Promise<void> => {
    const type = `Microsoft.Communication.${stream}Failed`;
    await rig.state.calls.appendEvent("call-1", {
      eventId: id.replace("-again", ""),
      type,
      timestampMs: rig.clock.wallNow(),
      details: {},
    });
    const data = { call_id: "call-1", call_connection_id: "connection-1", callback_type: type, payload: {} };
    await rig.publish(`callback:${id}`, "call.callback-received", data);
  };

  it("[MEDIA-2] [ONCE-2] leaves a stream alone that is open again when the failure is handled a second time", async () => {
    const rig = await startCallRig();
    await rig.create({ status: "connected", callConnectionId: "connection-1" });
    await failed(rig, "1");
    const type = "Microsoft.Communication.MediaStreamingStarted";
    const started = { eventId: "2", type, timestampMs: rig.clock.wallNow(), details: {} };
    await rig.state.calls.appendEvent("call-1", started);
    await failed(rig, "1-again");
    expect(rig.operations()).toEqual(["startStream"]);
  });

  it("[MEDIA-2] opens a failed stream again, and hangs up at the third failure", async () => {
    const rig = await startCallRig();
    await rig.create({ status: "connected", callConnectionId: "connection-1" });
    await failed(rig, "1");
    await failed(rig, "2");
    expect(rig.operations()).toEqual(["startStream", "startStream"]);
    await failed(rig, "3");
    expect(rig.operations()).toEqual(["startStream", "startStream", "hangUp"]);
  });

  it("[MEDIA-2] [MEDIA-5] starts the transcription again that has failed", async () => {
    const rig = await startCallRig();
    await rig.create({ status: "connected", callConnectionId: "connection-1", streamingMode: "TRANSCRIPTION" });
    await failed(rig, "1", "Transcription");
    expect(rig.requests).toMatchObject([{ operation: "startStream", details: { kind: "transcript" } }]);
  });

  it("[MEDIA-2] does not hold against a long call what happened long ago", async () => {
    const rig = await startCallRig();
    await rig.create({ status: "connected", callConnectionId: "connection-1" });
    for (const id of ["1", "2", "3", "4"]) {
      await failed(rig, id);
      await rig.settle(90_000);
    }
    expect(rig.operations()).toEqual(["startStream", "startStream", "startStream", "startStream"]);
  });
});

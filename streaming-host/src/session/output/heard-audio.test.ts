import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { expect, it } from "vitest";
import { FakeTransport } from "../../testing/fake-transport.ts";
import { noRecorder } from "../recording/session-recorder.ts";
import { createHeardAudio } from "./heard-audio.ts";
import { LevelMeter } from "./level-meter.ts";

function rig() {
  const clock = new VirtualClock();
  const log: string[] = [];
  const notices: unknown[] = [];
  const transport = Object.assign(new FakeTransport(clock), {
    sendAudio: () => log.push("peer plays"),
    endAudio: () => log.push("peer has all"),
    stopAudio: () => log.push("peer drops"),
  });
  const recorder = {
    ...noRecorder,
    agentAudio: (_: Int16Array, playsAtMs: number) => log.push(`recorded for ${playsAtMs}`),
    agentStopped: () => log.push("recording drops"),
  };
  const levels = new LevelMeter(clock, () => undefined);
  const sink = createHeardAudio(
    transport,
    levels,
    recorder,
    ({ payload }) => notices.push(payload),
    (_, playsAtMs) => log.push(`echo due at ${playsAtMs}`),
  );
  return { sink, log, notices };
}

it("passes each frame on to the peer first, and then to the recording and the echo detection with its time", () => {
  const { sink, log } = rig();
  sink.sendAudio(new Int16Array(320), 140);
  expect(log).toEqual(["peer plays", "recorded for 140", "echo due at 140"]);
});

it("[REC-4] takes what the peer drops out of the recording, too", () => {
  const { sink, log } = rig();
  sink.stopAudio("turn-1", "speech");
  expect(log).toEqual(["peer drops", "recording drops"]);
});

it("tells the peer that a reply is complete, because it may hold the last frame back to fill a chunk", () => {
  const { sink, log } = rig();
  sink.endAudio?.();
  expect(log).toEqual(["peer has all"]);
});

it("[BARGE-15] tells clients and watchers whose audio stopped, and why", () => {
  const { sink, notices } = rig();
  sink.stopAudio("turn-1", "dead_air");
  expect(notices).toEqual([{ name: "barge_in", turn_id: "turn-1", reason: "dead_air" }]);
});

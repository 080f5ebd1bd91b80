import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { describe, expect, it } from "vitest";
import { createListenIn } from "./listen-in.ts";
import { noRecorder } from "./session-recorder.ts";

const frame = (value: number): Int16Array => new Int16Array(320).fill(value);

function rig() {
  const clock = new VirtualClock();
  const heard: string[] = [];
  const recorded: number[] = [];
  let stops = 0;
  const listenIn = createListenIn({
    recorder: {
      ...noRecorder,
      callerAudio: (samples) => recorded.push(samples.length),
      agentStopped: () => stops++,
    },
    sampleRateHz: 16_000,
    clock,
    patienceMs: 12_000,
    onAudio: (side, pcm) => heard.push(`${side} ${pcm.length} ${pcm.readInt16LE(0)}`),
  });
  return { ...listenIn, clock, heard, recorded, stops: () => stops };
}

describe("listening in", () => {
  it("[OPS-2b] hears nothing before somebody listens, and everything is recorded all the same", () => {
    const { recorder, heard, recorded } = rig();
    for (let count = 0; count < 10; count++) recorder.callerAudio(frame(1));
    expect(heard).toEqual([]);
    expect(recorded).toHaveLength(10);
  });

  it("[OPS-2a] hears both sides, a tenth of a second at a time", () => {
    const { recorder, renew, heard } = rig();
    renew();
    for (let count = 0; count < 5; count++) {
      recorder.callerAudio(frame(1));
      recorder.agentAudio(frame(2), 0);
    }
    expect(heard).toEqual(["caller 3200 1", "agent 3200 2"]);
  });

  it("cuts frames of any length into messages of one length", () => {
    const { recorder, renew, heard } = rig();
    renew();
    recorder.callerAudio(new Int16Array(4000).fill(3));
    recorder.callerAudio(new Int16Array(800).fill(4));
    expect(heard).toEqual(["caller 3200 3", "caller 3200 3", "caller 3200 3"]);
  });

  it("hears the last of what the agent says when it is interrupted", () => {
    const { recorder, renew, heard } = rig();
    renew();
    recorder.agentAudio(frame(2), 0);
    recorder.agentStopped();
    expect(heard).toEqual(["agent 640 2"]);
  });

  it("tells the recording that the agent was interrupted, whether or not anybody listens", () => {
    const { recorder, renew, stops } = rig();
    recorder.agentStopped();
    renew();
    recorder.agentStopped();
    expect(stops()).toBe(2);
  });

  it("gives a new listener nothing of what was said while a former one listened", () => {
    const { recorder, renew, heard, clock } = rig();
    renew();
    recorder.callerAudio(frame(1));
    recorder.agentAudio(frame(2), 0);
    clock.advance(12_001);
    recorder.callerAudio(frame(3));
    renew();
    for (let count = 0; count < 5; count++) {
      recorder.callerAudio(frame(5));
      recorder.agentAudio(frame(6), 0);
    }
    expect(heard).toEqual(["caller 3200 5", "agent 3200 6"]);
  });

  it("[OPS-2b] ends by itself when nobody says any more that they listen", () => {
    const { recorder, renew, heard, clock } = rig();
    renew();
    clock.advance(12_001);
    for (let count = 0; count < 10; count++) recorder.callerAudio(frame(1));
    expect(heard).toEqual([]);
    renew();
    for (let count = 0; count < 5; count++) recorder.callerAudio(frame(5));
    expect(heard).toEqual(["caller 3200 5"]);
  });
});

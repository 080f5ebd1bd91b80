import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { describe, expect, it } from "vitest";

import { PacedMicrophone } from "./paced-microphone.ts";

const rateHz = 16_000;
const frameSamples = 320;

function openMicrophone(clock: VirtualClock, background?: (at: number) => number) {
  const frames: { readonly atMs: number; readonly samples: Int16Array }[] = [];
  const microphone = new PacedMicrophone({
    clock,
    sampleRateHz: rateHz,
    onFrame: (samples) => frames.push({ atMs: clock.now(), samples }),
    background,
  });
  microphone.start();
  return { microphone, frames };
}

/** A timer that fires when the machine gets round to it: each one `latenessMs` late. */
class LateClock extends VirtualClock {
  readonly #latenessMs: number;

  constructor(latenessMs: number) {
    super();
    this.#latenessMs = latenessMs;
  }

  override setTimer(delayMs: number, callback: () => void): () => void {
    return super.setTimer(Math.max(0, delayMs) + this.#latenessMs, callback);
  }
}

describe("the paced microphone", () => {
  it("sends a frame of silence every 20 ms while nobody speaks", () => {
    const clock = new VirtualClock();
    const { frames } = openMicrophone(clock);
    clock.advance(100);
    expect(frames.map(({ atMs }) => atMs)).toEqual([20, 40, 60, 80, 100]);
    expect(frames.every(({ samples }) => samples.length === frameSamples && samples.every((s) => s === 0))).toBe(true);
  });

  it("hears the noise of the room all the time, under the words and between them", () => {
    const clock = new VirtualClock();
    const { microphone, frames } = openMicrophone(clock, (at) => at % 2);
    clock.advance(20);
    void microphone.speak(new Int16Array(2).fill(100));
    clock.advance(20);
    expect(frames.map(({ samples }) => samples.slice(0, 4))).toEqual([
      Int16Array.of(0, 1, 0, 1),
      Int16Array.of(100, 101, 0, 1),
    ]);
  });

  it("keeps to the schedule when every timer fires late", () => {
    const clock = new LateClock(7);
    const { frames } = openMicrophone(clock);
    clock.advance(10_000);
    expect(frames.length).toBe(499);
    expect(frames.at(-1)?.atMs).toBeLessThanOrEqual(10_000);
  });

  it("sends at once what it owes after a stall", () => {
    const clock = new LateClock(95);
    const { frames } = openMicrophone(clock);
    clock.advance(115);
    expect(frames.map(({ atMs }) => atMs)).toEqual([115, 115, 115, 115, 115]);
  });

  it("speaks a line sample by sample and fills the last frame with silence", () => {
    const clock = new VirtualClock();
    const { microphone, frames } = openMicrophone(clock);
    const line = Int16Array.from({ length: 500 }, (_, index) => 1000 + index);
    void microphone.speak(line);
    clock.advance(60);
    const sent = frames.flatMap(({ samples }) => Array.from(samples));
    expect(sent.slice(0, 500)).toEqual([...line]);
    expect(sent.slice(500)).toEqual(Array.from({ length: 460 }, () => 0));
  });

  it("says when the last audible sample was spoken, not when the recording ended", async () => {
    const clock = new VirtualClock();
    const { microphone } = openMicrophone(clock);
    clock.advance(40);
    const line = new Int16Array(rateHz).fill(5000, 0, rateHz / 2);
    const spoken = microphone.speak(line);
    clock.advance(1000);
    expect(await spoken).toEqual({ startedMs: 40, stoppedMs: 540 });
  });

  it("speaks lines one after the other", async () => {
    const clock = new VirtualClock();
    const { microphone } = openMicrophone(clock);
    const line = new Int16Array(480).fill(5000);
    const both = Promise.all([microphone.speak(line), microphone.speak(line)]);
    clock.advance(60);
    expect(await both).toEqual([
      { startedMs: 0, stoppedMs: 30 },
      { startedMs: 30, stoppedMs: 60 },
    ]);
  });

  it("leaves no timer behind when it stops, even inside a frame", () => {
    const clock = new VirtualClock();
    let frames = 0;
    const microphone = new PacedMicrophone({
      clock,
      sampleRateHz: rateHz,
      onFrame: () => {
        frames += 1;
        if (frames === 2) microphone.stop();
      },
    });
    microphone.start();
    clock.advance(200);
    expect({ frames, pending: clock.pendingTimers }).toEqual({ frames: 2, pending: 0 });
  });
});

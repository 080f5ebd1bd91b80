import { describe, expect, it } from "vitest";
import { ReplayBuffer } from "./replay-buffer.ts";

const rateHz = 8000;
const frameSamples = 160;

/** Frames whose samples all have the frame's number. */
function fill(frames: number, from = 0) {
  const replay = new ReplayBuffer(rateHz);
  for (let index = from; index < from + frames; index++) replay.push(new Int16Array(frameSamples).fill(index));
  return replay;
}

const numbers = (replay: ReturnType<typeof fill>): number[] =>
  replay.frames().map((frame) => {
    expect(new Set(frame).size).toBe(1);
    return frame[0] ?? Number.NaN;
  });
const range = (from: number, until: number): number[] => Array.from({ length: until - from }, (_, at) => from + at);

describe("the audio that the next recogniser is given", () => {
  it("is everything since the words began, in order", () => {
    expect(numbers(fill(300))).toEqual(range(0, 300));
  });

  it("is 15 s at most", () => {
    expect(numbers(fill(1000))).toEqual(range(250, 1000));
  });

  it("is what followed the final words, and 400 ms at least", () => {
    const replay = fill(300);
    replay.markFinal(1000);
    expect(numbers(replay)).toEqual(range(250, 300));
    replay.markFinal(20);
    expect(numbers(replay)).toEqual(range(280, 300));
  });

  it("is half a second or so while nobody speaks, however long that is", () => {
    const replay = new ReplayBuffer(rateHz);
    for (let index = 0; index < 1000; index++) {
      replay.push(new Int16Array(frameSamples).fill(index));
      replay.trim();
      expect(replay.keptMs).toBeLessThan(800);
    }
    expect(numbers(replay)).toEqual(range(1000 - replay.keptMs / 20, 1000));
    expect(replay.keptMs).toBeGreaterThanOrEqual(400);
  });

  it("has memory of its own", () => {
    const replay = new ReplayBuffer(rateHz);
    const frame = new Int16Array(frameSamples).fill(7);
    replay.push(frame);
    frame.fill(0);
    const [kept] = replay.frames();
    replay.push(new Int16Array(8 * rateHz));
    expect(kept?.[0]).toBe(7);
  });

  it("takes chunks of any length, also one that is longer than all it may keep", () => {
    const replay = new ReplayBuffer(rateHz);
    replay.push(Int16Array.of(1, 2, 3));
    replay.push(Int16Array.from({ length: 16 * rateHz }, (_, at) => at % 1000));
    expect(replay.keptMs).toBe(15_000);
    expect(replay.frames().at(-1)?.at(-1)).toBe((16 * rateHz - 1) % 1000);
    replay.push(Int16Array.of(5));
    expect(replay.frames().at(-1)?.at(-1)).toBe(5);
  });
});

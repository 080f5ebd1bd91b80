import { describe, expect, it } from "vitest";

import { JitterBuffer } from "./jitter-buffer.ts";

const rateHz = 1000; // one sample is one millisecond

function pull(buffer: JitterBuffer, length: number): number[] {
  const output = new Float32Array(length).fill(9);
  buffer.pull(output);
  return [...output];
}

const ones = (length: number): Float32Array => new Float32Array(length).fill(1);
const repeat = (value: number, length: number): number[] => Array.from({ length }, () => value);

describe("the jitter buffer", () => {
  it("stays silent until 60 ms have gathered, then plays all of it", () => {
    const buffer = new JitterBuffer(rateHz);
    buffer.push(ones(40));
    expect(pull(buffer, 10)).toEqual(repeat(0, 10));
    buffer.push(ones(20));
    expect(pull(buffer, 60)).toEqual(repeat(1, 60));
  });

  it("plays an answer shorter than that once it has waited as long", () => {
    const buffer = new JitterBuffer(rateHz);
    buffer.push(ones(20));
    for (let ms = 0; ms < 50; ms += 10) expect(pull(buffer, 10)).toEqual(repeat(0, 10));
    expect(pull(buffer, 20)).toEqual(repeat(1, 20));
  });

  it("plays on through a frame that comes 40 ms late", () => {
    const buffer = new JitterBuffer(rateHz);
    const heard: number[] = [];
    for (let ms = 0; ms < 400; ms += 20) {
      const isLate = ms === 200 || ms === 220;
      if (!isLate) buffer.push(ones(ms === 240 ? 60 : 20));
      heard.push(...pull(buffer, 20));
    }
    expect(heard.slice(heard.indexOf(1))).not.toContain(0);
    expect(buffer.underruns).toBe(0);
  });

  it("gathers again after it ran dry", () => {
    const buffer = new JitterBuffer(rateHz);
    buffer.push(ones(60));
    expect(pull(buffer, 80)).toEqual([...repeat(1, 60), ...repeat(0, 20)]);
    expect({ playing: buffer.isPlaying, underruns: buffer.underruns }).toEqual({ playing: false, underruns: 1 });
    buffer.push(ones(20));
    expect(pull(buffer, 10)).toEqual(repeat(0, 10));
  });

  it("drops what waits when the listener interrupts, fading out instead of clicking", () => {
    const buffer = new JitterBuffer(rateHz);
    buffer.push(ones(500));
    pull(buffer, 20);
    buffer.clear();
    const after = pull(buffer, 20);
    expect(after.slice(0, 5)).toEqual([1, 0.8, 0.6, 0.4, 0.2].map((value) => Math.fround(value)));
    expect(after.slice(5)).toEqual(repeat(0, 15));
    expect(buffer.bufferedMs).toBe(0);
  });

  it("plays nothing of an answer that was interrupted before it began", () => {
    const buffer = new JitterBuffer(rateHz);
    buffer.push(ones(40));
    buffer.clear();
    expect(pull(buffer, 100)).toEqual(repeat(0, 100));
  });

  it("does not grow without bound", () => {
    const buffer = new JitterBuffer(rateHz);
    for (let second = 0; second < 500; second += 1) buffer.push(ones(1000));
    expect(buffer.bufferedMs).toBe(120_000);
  });
});

import { describe, expect, it } from "vitest";

import { StreamResampler } from "./stream-resampler.ts";

function sine(frequencyHz: number, rateHz: number, seconds = 1): Float32Array {
  return Float32Array.from({ length: rateHz * seconds }, (_, index) =>
    Math.sin((2 * Math.PI * frequencyHz * index) / rateHz),
  );
}

/** In the chunks of an audio worklet. */
function stream(resampler: StreamResampler, samples: Float32Array, chunk = 128): Float32Array {
  const parts: number[] = [];
  for (let at = 0; at < samples.length; at += chunk) parts.push(...resampler.process(samples.subarray(at, at + chunk)));
  return Float32Array.from(parts);
}

/** Without the filter's start and end. */
function rms(samples: Float32Array): number {
  const steady = samples.subarray(1000, samples.length - 1000);
  return Math.sqrt(steady.reduce((sum, sample) => sum + sample * sample, 0) / steady.length);
}

const toDb = (ratio: number): number => 20 * Math.log10(ratio);

describe("the stream resampler", () => {
  it.each([
    [48_000, 16_000],
    [44_100, 16_000],
    [96_000, 24_000],
    [16_000, 48_000],
    [24_000, 44_100],
  ])("keeps a 1 kHz tone as it is from %d to %d Hz", (fromHz, toHz) => {
    const output = stream(new StreamResampler(fromHz, toHz), sine(1000, fromHz));
    expect(toDb(rms(output) / Math.SQRT1_2)).toBeCloseTo(0, 1);
    const ideal = sine(1000, toHz);
    const error = output.map((sample, index) => sample - (ideal[index] ?? 0));
    expect(toDb(rms(error))).toBeLessThan(-50);
  });

  it.each([
    [48_000, 9_000],
    [48_000, 12_000],
    [44_100, 15_000],
  ])("removes from %d Hz audio a %d Hz tone that 16 kHz cannot hold, instead of folding it back", (fromHz, toneHz) => {
    const output = stream(new StreamResampler(fromHz, 16_000), sine(toneHz, fromHz));
    expect(toDb(rms(output))).toBeLessThan(-55);
  });

  it("gives as many samples as the time they stand for, without drift", () => {
    const resampler = new StreamResampler(44_100, 16_000);
    let produced = 0;
    const silence = new Float32Array(441);
    for (let tenMs = 0; tenMs < 2000; tenMs += 1) produced += resampler.process(silence).length;
    expect(Math.abs(produced - 20 * 16_000)).toBeLessThan(20);
  });

  it("does not depend on how the stream is cut", () => {
    const tone = sine(700, 48_000, 0.1);
    const whole = new StreamResampler(48_000, 16_000).process(tone).slice();
    expect(stream(new StreamResampler(48_000, 16_000), tone, 37)).toEqual(whole);
  });

  it("passes equal rates through untouched", () => {
    const samples = sine(300, 16_000, 0.01);
    expect(new StreamResampler(16_000, 16_000).process(samples)).toBe(samples);
  });
});

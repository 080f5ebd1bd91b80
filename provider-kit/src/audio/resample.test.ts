import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rmsLevel } from "./levels.ts";
import { createResampler, resampleAll, sampleRatesHz } from "./resample.ts";

const pairs = sampleRatesHz.flatMap((from) =>
  sampleRatesHz.filter((to) => to !== from).map((to) => [from, to] as const),
);
const rates = fc.constantFrom(...sampleRatesHz);
const amplitude = 16_000;

function sine(rateHz: number, frequencyHz: number, seconds = 0.5): Int16Array {
  const step = (2 * Math.PI * frequencyHz) / rateHz;
  return Int16Array.from({ length: rateHz * seconds }, (_, index) => Math.round(amplitude * Math.sin(step * index)));
}

/** Against the sine itself, so a wrong gain or a shift in time counts as noise. */
function snrDb(heard: Int16Array, expected: Int16Array): number {
  let signal = 0;
  let noise = 0;
  for (let index = 100; index < expected.length - 100; index++) {
    const want = expected[index] ?? 0;
    signal += want ** 2;
    noise += ((heard[index] ?? 0) - want) ** 2;
  }
  return 10 * Math.log10(signal / noise);
}

function cut(samples: Int16Array, lengths: readonly number[]): Int16Array[] {
  const pieces: Int16Array[] = [];
  let offset = 0;
  for (const length of lengths) pieces.push(samples.subarray(offset, (offset += length)));
  return [...pieces, samples.subarray(offset)];
}

describe("resampling", () => {
  it.each(pairs)("keeps a tone of the band, in place and at its level, from %i to %i Hz", (from, to) => {
    const frequencyHz = Math.min(from, to) / 8;
    expect(snrDb(resampleAll(sine(from, frequencyHz), from, to), sine(to, frequencyHz))).toBeGreaterThan(53);
  });

  it.each(pairs.filter(([from, to]) => to < from))("removes what would alias, from %i to %i Hz", (from, to) => {
    const heard = resampleAll(sine(from, to * 0.6), from, to).subarray(100, -100);
    expect(20 * Math.log10(rmsLevel(heard) / (amplitude / 32_768 / Math.SQRT2))).toBeLessThan(-50);
  });

  it.each(pairs)("gives 20 ms for 20 ms, frame by frame, from %i to %i Hz", (from, to) => {
    const resampler = createResampler(from, to);
    for (let frame = 0; frame < 10; frame++) expect(resampler.process(new Int16Array(from / 50))).toHaveLength(to / 50);
  });

  it("gives the same bits however the stream is cut", () => {
    fc.assert(
      fc.property(
        rates,
        rates,
        fc.int16Array({ minLength: 1, maxLength: 700 }),
        fc.array(fc.nat({ max: 90 }), { maxLength: 15 }),
        (from, to, samples, lengths) => {
          const whole = createResampler(from, to).process(samples);
          const resampler = createResampler(from, to);
          const pieces = cut(samples, lengths).map((piece) => resampler.process(piece));
          expect(pieces.flatMap((piece) => Array.from(piece))).toEqual([...whole]);
          expect(whole).toHaveLength(Math.ceil((samples.length * to) / from));
        },
      ),
    );
  });

  it("keeps a constant level exactly", () => {
    for (const [from, to] of pairs) {
      const heard = resampleAll(new Int16Array(2_000).fill(12_345), from, to).subarray(100, -100);
      expect(new Set(heard)).toEqual(new Set([12_345]));
    }
  });

  it("clips instead of wrapping around", () => {
    const square = Int16Array.from({ length: 800 }, (_, index) => ((index - 50) % 16 < 8 ? 32_767 : -32_768));
    const heard = resampleAll(square, 8_000, 16_000);
    const halves = Array.from({ length: 80 }, (_, period) => heard.subarray(period * 16 + 101, period * 16 + 115));
    for (const half of halves.filter((_, period) => period % 2 === 0)) expect(Math.min(...half)).toBeGreaterThan(0);
    for (const half of halves.filter((_, period) => period % 2 === 1)) expect(Math.max(...half)).toBeLessThan(0);
  });

  it("passes equal rates through untouched", () => {
    const samples = Int16Array.of(1, 2, 3);
    expect(createResampler(16_000, 16_000).process(samples)).toBe(samples);
  });

  it("starts a new sound after a reset", () => {
    const resampler = createResampler(8_000, 16_000);
    const sound = sine(8_000, 440);
    const first = resampler.process(sound);
    resampler.process(sine(8_000, 700).subarray(0, 77));
    resampler.reset();
    expect(resampler.process(sound)).toEqual(first);
  });

  it("refuses rates it has no use for", () => {
    expect(() => createResampler(3_000, 16_000)).toThrow(RangeError);
  });
});

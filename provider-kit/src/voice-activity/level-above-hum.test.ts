import { describe, expect, it } from "vitest";
import { rmsLevel } from "@voice/provider-kit/audio/levels";
import { LevelAboveHum } from "./level-above-hum.ts";

/** How many decibels are left of a second of a sound. */
function remainder(sampleRateHz: number, sound: (seconds: number) => number): number {
  const level = new LevelAboveHum(sampleRateHz);
  const frameSamples = sampleRateHz / 50;
  let left = 0;
  for (let frame = 0; frame < 50; frame++) {
    const at = (index: number): number => (frame * frameSamples + index) / sampleRateHz;
    const samples = Int16Array.from({ length: frameSamples }, (_, index) => 8000 * sound(at(index)));
    left = level.next(samples) / rmsLevel(samples);
  }
  return 20 * Math.log10(left);
}

const toneOf = (hz: number) => (seconds: number) => Math.sin(2 * Math.PI * hz * seconds);

describe.each([8000, 16_000, 48_000])("the level above the hum at %i Hz", (rateHz) => {
  it("hears neither an offset nor the mains", () => {
    expect(remainder(rateHz, () => 1)).toBeLessThan(-90);
    expect(remainder(rateHz, toneOf(50))).toBeLessThan(-18);
    expect(remainder(rateHz, toneOf(60))).toBeLessThan(-15);
  });

  it("hears what a telephone transmits as it is", () => {
    for (const hz of [300, 1000, 3000]) expect(remainder(rateHz, toneOf(hz))).toBeCloseTo(0, 0);
  });
});

it("there is no level in silence after a loud sound", () => {
  const level = new LevelAboveHum(16_000);
  level.next(new Int16Array(320).fill(20_000));
  const levels = Array.from({ length: 50 }, () => level.next(new Int16Array(320)));
  expect(levels.at(-1)).toBe(0);
});

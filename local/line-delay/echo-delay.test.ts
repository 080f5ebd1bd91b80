import { describe, expect, it } from "vitest";
import { findEcho } from "./echo-delay.ts";

const sampleRateHz = 8000;

/** Syllables of a voice, as loud and as long as chance has it, the same each time. */
function speech(seconds: number, seed: number): Int16Array {
  const samples = new Int16Array(seconds * sampleRateHz);
  let state = seed;
  const chance = (): number => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
  for (let at = 0; at < samples.length;) {
    const length = Math.round((0.05 + 0.25 * chance()) * sampleRateHz);
    const level = chance() < 0.3 ? 0 : 1000 + 9000 * chance();
    for (let end = at + length; at < end && at < samples.length; at++) samples[at] = level * (2 * chance() - 1);
  }
  return samples;
}

/** What comes back of a sound over a line: later, fainter, distorted, with noise. */
function echoOf(sound: Int16Array, delayMs: number, noise: Int16Array): Int16Array {
  const delay = Math.round((delayMs * sampleRateHz) / 1000);
  return sound.map((_, at) => Math.abs(sound[at - delay] ?? 0) * 0.2 + (noise[at] ?? 0) * 0.01);
}

describe("the delay of an echo", () => {
  it.each([-150, 0, 240, 900])("is found within 10 ms, also on a bad line: %s ms", (delayMs) => {
    const sound = speech(8, 1);
    const found = findEcho(sound, echoOf(sound, delayMs, speech(8, 2)), sampleRateHz);
    expect(Math.abs((found?.delayMs ?? Infinity) - delayMs)).toBeLessThanOrEqual(10);
  });

  it("is none where somebody else speaks, or nobody", () => {
    expect(findEcho(speech(8, 1), speech(8, 2), sampleRateHz)).toBeUndefined();
    expect(findEcho(speech(8, 1), new Int16Array(8 * sampleRateHz), sampleRateHz)).toBeUndefined();
    expect(findEcho(new Int16Array(8 * sampleRateHz), speech(8, 1), sampleRateHz)).toBeUndefined();
  });
});

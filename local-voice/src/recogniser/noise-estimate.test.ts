import { describe, expect, it } from "vitest";
import { rmsLevel } from "@voice/provider-kit/audio/levels";
import { whiteNoise } from "@voice/provider-kit/audio/white-noise";
import { levelOf, noiseBeneath, noiseBetween } from "./noise-estimate.ts";

const frameSamples = 320;
const noiseLevel = 600;
const noiseDb = 20 * Math.log10(rmsLevel(Int16Array.from({ length: 16_000 }, (_, at) => noiseLevel * whiteNoise(at))));

/** A second and a half of a voice that rises and falls in pitch and in loudness, over a noise or over none. */
function voice(noise: number): Int16Array[] {
  const samples = Int16Array.from({ length: 75 * frameSamples }, (_, at) => {
    const syllable = Math.sin((Math.PI * at) / 3_200) ** 2;
    const phase = (2 * Math.PI * 150 * at) / 16_000 + 3 * Math.sin((2 * Math.PI * 3 * at) / 16_000);
    const harmonics = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].reduce((sum, nth) => sum + Math.sin(nth * phase) / nth, 0);
    return noise * whiteNoise(at) + 6000 * syllable * harmonics;
  });
  return Array.from({ length: 75 }, (_, index) => samples.slice(index * frameSamples, (index + 1) * frameSamples));
}
const every = (frames: readonly Int16Array[]): boolean[] => frames.map(() => true);

describe("the estimate of a noise", () => {
  it("is what is heard while nobody speaks", () => {
    const frames = [...voice(noiseLevel), ...Array.from({ length: 40 }, (_, index) => noiseFrame(index))];
    const noise = noiseBetween(
      frames,
      frames.map((_, index) => index >= 75),
    );
    expect(Math.abs(levelOf(noise ?? new Float64Array()) - noiseDb)).toBeLessThan(2);
  });

  it("is what is left in quiet moments of each band where the noise is heard only while somebody speaks", () => {
    const frames = voice(noiseLevel);
    const noise = noiseBeneath(frames, every(frames)) ?? new Float64Array();
    expect(Math.abs(levelOf(noise) - noiseDb)).toBeLessThan(3);
  });

  it("is next to nothing where there is a voice alone", () => {
    const frames = voice(0);
    const noise = noiseBeneath(frames, every(frames)) ?? new Float64Array();
    expect(levelOf(noise)).toBeLessThan(noiseDb - 20);
  });

  it("is unknown where too little was heard", () => {
    const frames = voice(noiseLevel).slice(0, 30);
    expect(noiseBeneath(frames, every(frames))).toBeUndefined();
    expect(
      noiseBetween(
        frames,
        frames.map(() => false),
      ),
    ).toBeUndefined();
    expect(noiseBeneath([], [])).toBeUndefined();
  });
});

function noiseFrame(index: number): Int16Array {
  return Int16Array.from({ length: frameSamples }, (_, at) => noiseLevel * whiteNoise(index * frameSamples + at));
}

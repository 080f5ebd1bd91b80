import { describe, expect, it } from "vitest";
import { rmsLevel } from "@voice/provider-kit/audio/levels";
import { withoutNoise } from "./noise-filter.ts";

const frameSamples = 320;

/** The same noise every time. */
function noiseOf(level: number): () => number {
  let seed = 1;
  return () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return level * (seed / 2 ** 30 - 1);
  };
}

const tone = (at: number): number => 8000 * Math.sin((2 * Math.PI * 440 * at) / 16_000);

/** A tone in the middle third, over noise. */
function line(noise: () => number): { readonly frames: Int16Array[]; readonly isSpeech: boolean[] } {
  const isSpeech = Array.from({ length: 90 }, (_, index) => index >= 30 && index < 60);
  const frames = isSpeech.map((speech, index) =>
    Int16Array.from({ length: frameSamples }, (_, at) => noise() + (speech ? tone(index * frameSamples + at) : 0)),
  );
  return { frames, isSpeech };
}

const levelOf = (frames: readonly Int16Array[], from: number, to: number): number =>
  Math.hypot(...frames.slice(from, to).map(rmsLevel)) / Math.sqrt(to - from);

describe("the noise filter", () => {
  it("makes what is noise alone quieter by some 20 dB, and leaves speech as loud as it is", () => {
    const { frames, isSpeech } = line(noiseOf(800));
    const clean = withoutNoise(frames, isSpeech);
    expect(levelOf(clean, 5, 25)).toBeLessThan(levelOf(frames, 5, 25) / 6);
    expect(levelOf(clean, 35, 55) / levelOf(frames, 35, 55)).toBeCloseTo(1, 1);
  });

  it("takes the noise out from under the speech", () => {
    const { frames, isSpeech } = line(noiseOf(800));
    const pure = line(() => 0).frames;
    const errorOf = (of: readonly Int16Array[]): number =>
      Math.sqrt(
        of.slice(35, 55).reduce((sum, frame, index) => {
          const wanted = pure[index + 35] ?? frame;
          return sum + frame.reduce((squares, sample, at) => squares + (sample - (wanted[at] ?? 0)) ** 2, 0);
        }, 0),
      );
    expect(errorOf(withoutNoise(frames, isSpeech))).toBeLessThan(errorOf(frames) / 2);
  });

  it("changes nothing where nobody can tell what the noise is", () => {
    const { frames } = line(noiseOf(800));
    expect(
      withoutNoise(
        frames,
        frames.map(() => true),
      ),
    ).toBe(frames);
    expect(withoutNoise([], [])).toEqual([]);
  });
});

import { describe, expect, it } from "vitest";
import { rmsLevel } from "@voice/provider-kit/audio/levels";
import { whiteNoise } from "@voice/provider-kit/audio/white-noise";
import { noiseBetween } from "./noise-estimate.ts";
import { withoutNoise } from "./noise-filter.ts";

const frameSamples = 320;

const tone = (at: number): number => 8000 * Math.sin((2 * Math.PI * 440 * at) / 16_000);

/** A tone in the middle third, over noise. */
function line(noiseLevel: number): { readonly frames: Int16Array[]; readonly isNoise: boolean[] } {
  const isSpeech = Array.from({ length: 90 }, (_, index) => index >= 30 && index < 60);
  const frames = isSpeech.map((speech, index) =>
    Int16Array.from({ length: frameSamples }, (_, offset) => {
      const at = index * frameSamples + offset;
      return noiseLevel * whiteNoise(at) + (speech ? tone(at) : 0);
    }),
  );
  return { frames, isNoise: isSpeech.map((speech) => !speech) };
}

function cleaned({ frames, isNoise }: ReturnType<typeof line>): readonly Int16Array[] {
  const noise = noiseBetween(frames, isNoise);
  if (noise === undefined) throw new Error("the line is too short");
  return withoutNoise(frames, noise);
}

const levelOf = (frames: readonly Int16Array[], from: number, to: number): number =>
  Math.hypot(...frames.slice(from, to).map(rmsLevel)) / Math.sqrt(to - from);

describe("the noise filter", () => {
  it("makes what is noise alone quieter by some 20 dB, and leaves speech as loud as it is", () => {
    const noisy = line(800);
    const clean = cleaned(noisy);
    expect(levelOf(clean, 5, 25)).toBeLessThan(levelOf(noisy.frames, 5, 25) / 6);
    expect(levelOf(clean, 35, 55) / levelOf(noisy.frames, 35, 55)).toBeCloseTo(1, 1);
  });

  it("takes the noise out from under the speech", () => {
    const noisy = line(800);
    const pure = line(0).frames;
    const errorOf = (of: readonly Int16Array[]): number =>
      Math.sqrt(
        of.slice(35, 55).reduce((sum, frame, index) => {
          const wanted = pure[index + 35] ?? frame;
          return sum + frame.reduce((squares, sample, at) => squares + (sample - (wanted[at] ?? 0)) ** 2, 0);
        }, 0),
      );
    expect(errorOf(cleaned(noisy))).toBeLessThan(errorOf(noisy.frames) / 2);
  });
});

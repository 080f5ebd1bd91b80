import { describe, expect, it } from "vitest";
import { whiteNoise } from "@voice/provider-kit/audio/white-noise";
import { foregroundOf } from "./foreground.ts";
import type { Foreground } from "./foreground.ts";

const frameAt = (db: number): Int16Array => new Int16Array(320).fill(Math.round(32_768 * 10 ** (db / 20)));
const heard = (...stretches: readonly (readonly [count: number, db: number])[]): Int16Array[] =>
  stretches.flatMap(([count, db]) => Array.from({ length: count }, (_, at) => frameAt(db + 2 * (at % 3))));

const noiseOf = (count: number, db: number): Int16Array[] =>
  Array.from({ length: count }, (_, frame) =>
    Int16Array.from(
      { length: 320 },
      (_sample, at) => 32_768 * Math.sqrt(3) * 10 ** (db / 20) * whiteNoise(frame * 320 + at),
    ),
  );

const framesOf = ({ isSpeech }: Foreground): number => isSpeech.filter(Boolean).length;

describe("the foreground of what was heard", () => {
  it("is the speech on a quiet line, soft consonants at its edges included", () => {
    const foreground = foregroundOf(heard([20, -90], [30, -15], [25, -90]));
    expect(foreground.isNoisy).toBe(false);
    expect(framesOf(foreground)).toBe(30 + 3 + 3);
    expect(foreground.isNoVoice).toBe(false);
  });

  it("is the louder voice where others talk in the background", () => {
    const foreground = foregroundOf(heard([40, -38], [40, -14], [30, -38]));
    expect(foreground.isNoisy).toBe(true);
    expect(framesOf(foreground)).toBe(40 + 3 + 3);
  });

  it("leaves out the background between the words", () => {
    const foreground = foregroundOf(heard([30, -40], [20, -14], [20, -40], [20, -14], [30, -40]));
    expect(framesOf(foreground)).toBe(2 * (20 + 3 + 3));
  });

  it("is the same where packets of the line are lost, because silence in their place is no background", () => {
    const line = heard([40, -40], [40, -14], [40, -40]);
    const lossy = line.map((frame, at) => (at % 12 === 8 ? new Int16Array(320) : frame));
    expect(foregroundOf(lossy)).toEqual(foregroundOf(line));
  });

  it("is not a click", () => {
    const clicked = [...heard([30, -45], [20, -14], [30, -45]), frameAt(-10), ...heard([30, -45])];
    expect(framesOf(foregroundOf(clicked))).toBe(20 + 3 + 3);
  });

  it("is nothing where all is as loud as the loudest, as noise and tones are", () => {
    const steady = Array.from({ length: 60 }, () => frameAt(-20));
    const foreground = foregroundOf([...heard([20, -90]), ...steady, ...heard([20, -90])]);
    expect(framesOf(foreground)).toBe(0);
    expect(foreground.isNoVoice).toBe(true);
  });

  it("keeps an even vowel apart, which may be a short word", () => {
    const vowel = Array.from({ length: 15 }, () => frameAt(-20));
    const { isForeground, isNoVoice } = foregroundOf([...heard([20, -90]), ...vowel, ...heard([20, -90])]);
    expect(isForeground.filter(Boolean)).toHaveLength(15 + 3 + 3);
    expect(isNoVoice).toBe(false);
  });

  it("has no voice in it where all of it is an even noise, as when a noisy line is opened", () => {
    const noise = noiseOf(30, -36);
    expect(foregroundOf(noise).isNoVoice).toBe(true);
    expect(foregroundOf([...noise, ...heard([15, -14]), ...noise]).isNoVoice).toBe(false);
  });

  it("is the voice over a noise that is cut off wherever nobody speaks", () => {
    const words = heard([8, -90], [30, -14], [8, -90], [20, -14], [8, -90]);
    const noise = noiseOf(words.length, -36);
    const noisy = words.map((frame, index) => frame.map((sample, at) => sample + (noise[index]?.[at] ?? 0)));
    const foreground = foregroundOf([...heard([20, -90]), ...noisy, ...heard([25, -90])]);
    expect(foreground.isNoisy).toBe(true);
    expect(foreground.cutNoise).toBeDefined();
    expect(framesOf(foreground)).toBe(30 + 20 + 2 * (3 + 3));
  });

  it("is nothing where nothing was heard", () => {
    expect(framesOf(foregroundOf([]))).toBe(0);
  });
});

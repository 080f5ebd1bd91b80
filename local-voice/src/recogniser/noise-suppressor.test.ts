import { beforeAll, describe, expect, it } from "vitest";
import { rmsLevel } from "@voice/provider-kit/audio/levels";
import { whiteNoise } from "@voice/provider-kit/audio/white-noise";
import { loadNoiseSuppression } from "./noise-suppressor.ts";
import type { CreateNoiseSuppressor, NoiseSuppressor } from "./noise-suppressor.ts";

const rateHz = 16_000;
const seconds = 2;

/** Vowels, three each second: a voice of 120 Hz with its overtones. */
function voice(): Int16Array {
  return Int16Array.from({ length: seconds * rateHz }, (_, at) => {
    const overtones = Array.from({ length: 20 }, (_unused, index) => index + 1);
    const wave = overtones.reduce((sum, n) => sum + Math.sin((2 * Math.PI * 120 * n * at) / rateHz + n * n) / n, 0);
    return Math.round(4_000 * wave * Math.max(0, Math.sin((2 * Math.PI * 3 * at) / rateHz)));
  });
}

const noise = (): Int16Array =>
  Int16Array.from({ length: seconds * rateHz }, (_, at) => Math.round(1_000 * whiteNoise(at)));

function inPieces(suppressor: NoiseSuppressor, samples: Int16Array, lengths: readonly number[]): readonly number[] {
  const heard: number[] = [];
  for (let at = 0, piece = 0; at < samples.length; piece++) {
    const length = lengths[piece % lengths.length] ?? 1;
    heard.push(...suppressor.process(samples.slice(at, at + length)));
    at += length;
  }
  return heard;
}

function whole(suppressor: NoiseSuppressor, samples: Int16Array): Int16Array {
  return Int16Array.from(inPieces(suppressor, samples, [samples.length]));
}

/** How alike two sounds are if one is `delay` samples later: 1 is the same. */
function likeness(one: Int16Array, later: Int16Array, delay: number): number {
  let [both, first, second] = [0, 0, 0];
  for (let at = 0; at + delay < later.length; at++) {
    const [x, y] = [one[at] ?? 0, later[at + delay] ?? 0];
    both += x * y;
    first += x * x;
    second += y * y;
  }
  return both / Math.sqrt(first * second);
}

let create: CreateNoiseSuppressor;
beforeAll(async () => {
  create = await loadNoiseSuppression();
});

describe("noise suppression", () => {
  it("[SPEECH-27] makes steady noise quieter by 15 dB", () => {
    const noisy = noise();
    const clean = whole(create(), noisy);
    expect(clean).toHaveLength(noisy.length);
    const quieterDb = 20 * Math.log10(rmsLevel(noisy.subarray(rateHz)) / rmsLevel(clean.subarray(rateHz)));
    expect(quieterDb).toBeGreaterThan(15);
  });

  it("[SPEECH-27] leaves a voice as it is, later by as much as it says", () => {
    const suppressor = create();
    const spoken = voice();
    const clean = whole(suppressor, spoken);
    const likenesses = Array.from({ length: 400 }, (_, delay) => likeness(spoken, clean, delay));
    const delay = likenesses.indexOf(Math.max(...likenesses));
    expect(Math.abs(delay - suppressor.delaySamples)).toBeLessThanOrEqual(1);
    expect(likenesses[delay]).toBeGreaterThan(0.95);
    expect(suppressor.delaySamples).toBeLessThan(rateHz / 80);
  });

  it.each([[[320]], [[1, 7, 333]], [[160, 1_000]]])(
    "[SPEECH-27] joins pieces of %j samples as if they were one",
    (lengths) => {
      const line = voice().map((sample, at) => sample + Math.round(1_000 * whiteNoise(at)));
      expect(inPieces(create(), line, lengths)).toEqual([...whole(create(), line)]);
    },
  );

  it("[SPEECH-27] hears each conversation by itself", () => {
    const [one, other] = [create(), create()];
    const [spoken, noisy] = [voice(), noise()];
    const alone = whole(create(), spoken);
    const beside: number[] = [];
    for (let at = 0; at < alone.length; at += 320) {
      beside.push(...one.process(spoken.slice(at, at + 320)));
      other.process(noisy.slice(at, at + 320));
    }
    expect(beside).toEqual([...alone]);
  });

  it("gives back a stream's memory once, and says nothing more afterwards", () => {
    const closed = create();
    closed.close();
    const next = create();
    closed.close();
    expect(closed.process(voice())).toHaveLength(0);
    expect(whole(next, voice())).toEqual(whole(create(), voice()));
  });
});

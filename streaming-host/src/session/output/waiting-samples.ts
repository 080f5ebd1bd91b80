/**
 * The sounds of somebody at work, made by arithmetic: no recording, so nobody's licence. Quiet, far below a voice on the line, and the same
 * for every conversation, so each is made once for each rate.
 */
import { whiteNoise } from "@voice/provider-kit/audio/white-noise";
import type { WaitingSoundName } from "@voice/shared/catalog/waiting-sounds";

type AudibleSound = Exclude<WaitingSoundName, "none">;

/** The sound repeats after this time: long enough that nobody notices. */
const loopSeconds = 8;
/** Shares of full scale; speech on a telephone has peaks of 0.3. A lasting tone is quieter, because it is taken for a voice sooner than strokes. */
const keyPeak = 0.03;
const tonePeak = 0.01;
const made = new Map<string, Int16Array>();

export function waitingSamples(sound: AudibleSound, sampleRateHz: number): Int16Array {
  const key = `${sound} ${sampleRateHz}`;
  const known = made.get(key) ?? toSamples(sound === "typing" ? typing(sampleRateHz) : tone(sampleRateHz));
  made.set(key, known);
  return known;
}

/** Strokes of keys in words of a few letters: a click as the key goes down, a fainter one as it comes up. */
function typing(sampleRateHz: number): Float32Array {
  const samples = new Float32Array(loopSeconds * sampleRateHz);
  let stroke = 0;
  for (let atMs = 60; atMs < loopSeconds * 1000 - 200; stroke += 1) {
    const chance = (whiteNoise(stroke) + 1) / 2;
    addClick(samples, { sampleRateHz, atMs, peak: keyPeak * (0.6 + 0.4 * chance), seed: stroke });
    addClick(samples, { sampleRateHz, atMs: atMs + 70, peak: keyPeak * 0.3, seed: stroke + 500 });
    atMs += 110 + 120 * chance + (stroke % 6 === 5 ? 500 : 0);
  }
  return samples;
}

interface Click {
  readonly sampleRateHz: number;
  readonly atMs: number;
  readonly peak: number;
  readonly seed: number;
}

/** Noise that dies away within ten milliseconds. */
function addClick(samples: Float32Array, { sampleRateHz, atMs, peak, seed }: Click): void {
  const from = Math.round((atMs * sampleRateHz) / 1000);
  const decay = sampleRateHz * 0.0025;
  const length = Math.round(sampleRateHz * 0.012);
  for (let at = 0; at < length && from + at < samples.length; at += 1)
    samples[from + at] = (samples[from + at] ?? 0) + peak * whiteNoise(seed * 7919 + at) * Math.exp(-at / decay);
}

/** A soft swell every two seconds. */
function tone(sampleRateHz: number): Float32Array {
  const samples = new Float32Array(loopSeconds * sampleRateHz);
  const everySeconds = 2;
  const lastsSeconds = 0.9;
  for (let at = 0; at < samples.length; at += 1) {
    const since = (at / sampleRateHz) % everySeconds;
    if (since >= lastsSeconds) continue;
    const swell = Math.sin((Math.PI * since) / lastsSeconds) ** 2;
    const wave = Math.sin(2 * Math.PI * 523.25 * since) + 0.5 * Math.sin(2 * Math.PI * 784 * since);
    samples[at] = (tonePeak / 1.5) * swell * wave;
  }
  return samples;
}

function toSamples(wave: Float32Array): Int16Array {
  return Int16Array.from(wave, (value) => Math.round(value * 32_767));
}

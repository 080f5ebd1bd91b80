/**
 * Detects the coding of samples without a header by their sound: neighbouring samples of speech are close to each other, while with a wrong
 * coding (the bytes in reverse, floating point, a compressed file) they jump about at full volume. Pure.
 */
import { bytesOf, samplesOf } from "./pcm-format.ts";
import type { SampleCoding } from "./pcm-format.ts";

/** Counted from the first sound: 256 samples of 16 bits, 11 ms at 24 kHz. */
export const decisiveBytes = 512;
const fewSamples = 32;
/** Relative to full scale: random data has 0.5, and the loudest speech less than 0.3. */
const loudMean = 0.4;
/** The mean step between samples, relative to twice the mean: random data has 0.67, a full-scale tone of 3 kHz 0.4. */
const roughStep = 0.55;
/** How much smoother another coding must be to be preferred. */
const muchSmoother = 4;

/** Which coding makes these bytes audio; undefined if none does. */
export function codingOfRaw(bytes: Uint8Array, channels: number): SampleCoding | undefined {
  const usual = measure(bytes, "s16le", channels);
  if (usual.count < fewSamples) return "s16le";
  const reversed = measure(bytes, "s16be", channels);
  // Samples converted from eight bits to sixteen have empty low bytes, and may well be right in the usual byte order.
  if (reversed.step * muchSmoother < usual.step && bytes.some((byte, at) => at % 2 === 0 && byte !== 0)) return "s16be";
  if (!isNoise(usual)) return "s16le";
  return isFloatingPoint(bytes, channels) ? "f32le" : undefined;
}

/** True if there are at least 256 samples and they cannot be speech. */
export function isNoiseAtFullVolume(samples: Int16Array): boolean {
  return samples.length >= decisiveBytes / bytesOf.s16le && isNoise(measureSamples(samples));
}

interface Roughness {
  readonly count: number;
  readonly mean: number;
  readonly step: number;
}

function measure(bytes: Uint8Array, coding: SampleCoding, channels: number): Roughness {
  const frame = bytesOf[coding] * channels;
  return measureSamples(samplesOf(bytes.subarray(0, bytes.length - (bytes.length % frame)), { coding, channels }));
}

function measureSamples(samples: Int16Array): Roughness {
  let level = 0;
  let steps = 0;
  let before = 0;
  for (const sample of samples) {
    level += Math.abs(sample);
    steps += Math.abs(sample - before);
    before = sample;
  }
  const count = samples.length;
  return { count, mean: level / count / 32_768, step: steps / count / 32_768 };
}

function isNoise({ mean, step }: Roughness): boolean {
  return mean > loudMean && step / (2 * mean) > roughStep;
}

/** Numbers between -1.5 and 1.5, nearly all neither zero nor tiny: one in nine random numbers is of this kind. */
function isFloatingPoint(bytes: Uint8Array, channels: number): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let plausible = 0;
  let count = 0;
  for (let at = 0; at + 4 <= bytes.length; at += 4, count++) {
    const value = Math.abs(view.getFloat32(at, true));
    if (value === 0 || (value > 1e-7 && value < 1.5)) plausible++;
  }
  return count > 0 && plausible === count && !isNoise(measure(bytes, "f32le", channels));
}

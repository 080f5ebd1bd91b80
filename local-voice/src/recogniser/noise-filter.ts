/**
 * Removes a steady noise from speech: each band of each moment is attenuated according to the share of noise in it (Wiener's filter; the
 * share is estimated together with the previous moment, after Ephraim and Malah, because single bands would fluctuate audibly otherwise).
 * Pure.
 */
import { analyse, bands, joined, powerOf, resynthesise, spectrum, stepSamples } from "./short-time-spectrum.ts";

/** The weight of the previous moment in the estimate. */
const smoothing = 0.96;
/** No band is attenuated by more than 20 dB: the remaining noise masks the artefacts of the filter. */
const leastGain = 0.1;
const leastNoise = 1e-6;

/** All frames of an utterance, of equal length. `noise`: the power of each band. */
export function withoutNoise(frames: readonly Int16Array[], noise: Float64Array): readonly Int16Array[] {
  const frameSamples = frames[0]?.length ?? 0;
  const clean = filtered(joined(frames), noise);
  return frames.map((_, index) => clean.subarray(index * frameSamples, (index + 1) * frameSamples));
}

function filtered(heard: Float64Array, noise: Float64Array): Int16Array {
  const clean = new Float64Array(heard.length);
  const speechBefore = new Float64Array(bands);
  for (let at = -stepSamples; at < heard.length; at += stepSamples) {
    analyse(heard, at);
    for (let band = 0; band < bands; band++) {
      const power = powerOf(band);
      const noisePower = Math.max(leastNoise, noise[band] ?? 0);
      const now = Math.max(0, power / noisePower - 1);
      const ratio = (smoothing * (speechBefore[band] ?? 0)) / noisePower + (1 - smoothing) * now;
      const gain = Math.max(leastGain, ratio / (1 + ratio));
      speechBefore[band] = gain * gain * power;
      spectrum[2 * band] = (spectrum[2 * band] ?? 0) * gain;
      spectrum[2 * band + 1] = (spectrum[2 * band + 1] ?? 0) * gain;
    }
    resynthesise(clean, at);
  }
  return Int16Array.from(clean, (sample) => Math.max(-32_768, Math.min(32_767, Math.round(sample))));
}

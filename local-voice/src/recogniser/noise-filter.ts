/**
 * Takes a steady noise out of speech: what the noise sounds like is known from the moments in which nobody speaks, and each
 * band of each moment is made as much quieter as noise has a share in it (Wiener's filter; the share is estimated with the
 * moment before in mind, after Ephraim and Malah, or single bands would twinkle). Pure.
 */
import FFT from "fft.js";

/** 32 ms of 16 kHz, every 16 ms. */
const blockSamples = 512;
const stepSamples = blockSamples / 2;
const bands = blockSamples / 2 + 1;
/** Fewer say too little of what the noise sounds like. */
const fewestNoiseBlocks = 3;
/** How much of the estimate is the moment before. */
const smoothing = 0.96;
/** No band is made quieter than by 20 dB: what is left covers what the filter does to the rest. */
const leastGain = 0.1;
const leastNoise = 1e-6;

/** One set for all: what is computed in them is read before anything else runs. */
const fft = new FFT(blockSamples);
const block = new Float64Array(blockSamples);
const spectrum = new Float64Array(2 * blockSamples);
const inverse = new Float64Array(2 * blockSamples);
/** Its squares, added up at every step, are one. */
const window = Float64Array.from(block, (_, at) => Math.sin((Math.PI * (at + 0.5)) / blockSamples));

/** All frames of an utterance, of one length. Where too few of them are noise alone, they are given back as they are. */
export function withoutNoise(frames: readonly Int16Array[], isSpeech: readonly boolean[]): readonly Int16Array[] {
  const frameSamples = frames[0]?.length ?? 0;
  const heard = new Float64Array(frames.length * frameSamples);
  for (const [index, frame] of frames.entries()) heard.set(frame, index * frameSamples);
  const noise = noiseIn(heard, (first, last) => {
    const [from, to] = [Math.floor(first / frameSamples), Math.floor(last / frameSamples)];
    return !isSpeech.slice(from, to + 1).includes(true);
  });
  if (noise === undefined) return frames;
  const clean = filtered(heard, noise);
  return frames.map((_, index) => clean.subarray(index * frameSamples, (index + 1) * frameSamples));
}

/** The mean power of each band where nobody speaks. */
function noiseIn(
  heard: Float64Array,
  isNoise: (firstSample: number, lastSample: number) => boolean,
): Float64Array | undefined {
  const sums = new Float64Array(bands);
  let blocks = 0;
  for (let at = 0; at + blockSamples <= heard.length; at += stepSamples) {
    if (!isNoise(at, at + blockSamples - 1)) continue;
    analyse(heard, at);
    for (let band = 0; band < bands; band++) sums[band] = (sums[band] ?? 0) + powerOf(band);
    blocks += 1;
  }
  return blocks < fewestNoiseBlocks ? undefined : sums.map((sum) => sum / blocks + leastNoise);
}

function filtered(heard: Float64Array, noise: Float64Array): Int16Array {
  const clean = new Float64Array(heard.length);
  const speechBefore = new Float64Array(bands);
  for (let at = -stepSamples; at < heard.length; at += stepSamples) {
    analyse(heard, at);
    for (let band = 0; band < bands; band++) {
      const power = powerOf(band);
      const noisePower = noise[band] ?? leastNoise;
      const now = Math.max(0, power / noisePower - 1);
      const ratio = (smoothing * (speechBefore[band] ?? 0)) / noisePower + (1 - smoothing) * now;
      const gain = Math.max(leastGain, ratio / (1 + ratio));
      speechBefore[band] = gain * gain * power;
      spectrum[2 * band] = (spectrum[2 * band] ?? 0) * gain;
      spectrum[2 * band + 1] = (spectrum[2 * band + 1] ?? 0) * gain;
    }
    fft.completeSpectrum(spectrum);
    fft.inverseTransform(inverse, spectrum);
    for (let index = Math.max(0, -at); index < blockSamples && at + index < clean.length; index++)
      clean[at + index] = (clean[at + index] ?? 0) + (inverse[2 * index] ?? 0) * (window[index] ?? 0);
  }
  return Int16Array.from(clean, (sample) => Math.max(-32_768, Math.min(32_767, Math.round(sample))));
}

/** Into `spectrum`; what lies outside is silence. */
function analyse(heard: Float64Array, at: number): void {
  for (let index = 0; index < blockSamples; index++) block[index] = (window[index] ?? 0) * (heard[at + index] ?? 0);
  fft.realTransform(spectrum, block);
}

function powerOf(band: number): number {
  return (spectrum[2 * band] ?? 0) ** 2 + (spectrum[2 * band + 1] ?? 0) ** 2;
}

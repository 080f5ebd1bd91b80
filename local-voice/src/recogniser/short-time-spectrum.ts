/** The spectrum of one moment of speech at a time. Pure except for its memory, which the next call overwrites. */
import FFT from "fft.js";

/** 32 ms of 16 kHz, every 16 ms. */
export const blockSamples = 512;
export const stepSamples = blockSamples / 2;
export const bands = blockSamples / 2 + 1;

/** One set for all callers: results are read before anything else runs. */
const fft = new FFT(blockSamples);
const block = new Float64Array(blockSamples);
const inverse = new Float64Array(2 * blockSamples);
/** The squares of the overlapping windows sum to one at every step. */
const window = Float64Array.from(block, (_, at) => Math.sin((Math.PI * (at + 0.5)) / blockSamples));

/** The real and imaginary parts of each band of the block that was analysed last. */
export const spectrum = new Float64Array(2 * blockSamples);

/** Writes into `spectrum`; samples outside the audio count as silence. */
export function analyse(heard: Float64Array, at: number): void {
  for (let index = 0; index < blockSamples; index++) block[index] = (window[index] ?? 0) * (heard[at + index] ?? 0);
  fft.realTransform(spectrum, block);
}

export function powerOf(band: number): number {
  return (spectrum[2 * band] ?? 0) ** 2 + (spectrum[2 * band + 1] ?? 0) ** 2;
}

/** Adds the contents of `spectrum` to the samples at their position. */
export function resynthesise(into: Float64Array, at: number): void {
  fft.completeSpectrum(spectrum);
  fft.inverseTransform(inverse, spectrum);
  for (let index = Math.max(0, -at); index < blockSamples && at + index < into.length; index++)
    into[at + index] = (into[at + index] ?? 0) + (inverse[2 * index] ?? 0) * (window[index] ?? 0);
}

/** Frames of equal length, concatenated. */
export function joined(frames: readonly Int16Array[]): Float64Array {
  const frameSamples = frames[0]?.length ?? 0;
  const whole = new Float64Array(frames.length * frameSamples);
  for (const [index, frame] of frames.entries()) whole.set(frame, index * frameSamples);
  return whole;
}

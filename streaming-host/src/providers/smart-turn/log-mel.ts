/**
 * The input features of Whisper's encoder, and of models based on it (Smart Turn): the logarithm of 80 mel bands, one column for every 10
 * ms. Defined by `WhisperFeatureExtractor` of Hugging Face's transformers with `chunk_length=8` and `do_normalize=True`; a test compares
 * with values from it.
 */

export const featureRateHz = 16_000;
export const windowSeconds = 8;
export const windowSamples = windowSeconds * featureRateHz;
export const bands = 80;
const hopSamples = 160;
const frameSamples = 400;
export const columns = windowSamples / hopSamples;
const bins = frameSamples / 2 + 1;
const half = frameSamples / 2;
/** Relative to the loudest band of the window; fainter values are raised to this limit. */
const dynamicRange = 8;

export interface LogMel {
  /** Uses at most the newest 8 s; shorter audio is preceded by silence. Rows are bands; the array is reused by the next call. */
  measure(samples: Int16Array): Float32Array;
}

export function createLogMel(): LogMel {
  const filters = melFilters();
  const hann = Float64Array.from(
    { length: frameSamples },
    (_, at) => 0.5 - 0.5 * Math.cos((2 * Math.PI * at) / frameSamples),
  );
  const cosines = new Float64Array(frameSamples);
  const sines = new Float64Array(frameSamples);
  for (let at = 0; at < frameSamples; at++) {
    cosines[at] = Math.cos((2 * Math.PI * at) / frameSamples);
    sines[at] = Math.sin((2 * Math.PI * at) / frameSamples);
  }
  const padded = new Float64Array(windowSamples + frameSamples);
  const power = new Float64Array(bins);
  const features = new Float32Array(bands * columns);
  const even = new Float64Array(half + 1);
  const odd = new Float64Array(half + 1);

  /**
   * Squared magnitudes of one frame's spectrum. The length of 400 is not a power of two, which FFT libraries require. Folding the frame
   * about its middle halves the direct sum, and 8 s take 40 ms in a separate thread.
   */
  const measurePower = (from: number): void => {
    const value = (at: number): number => (padded[from + at] ?? 0) * (hann[at] ?? 0);
    even[0] = value(0);
    even[half] = value(half);
    for (let at = 1; at < half; at++) {
      const [one, other] = [value(at), value(frameSamples - at)];
      even[at] = one + other;
      odd[at] = one - other;
    }
    for (let bin = 0; bin < bins; bin++) {
      let [real, imaginary, angle] = [0, 0, 0];
      for (let at = 0; at <= half; at++) {
        real += (even[at] ?? 0) * (cosines[angle] ?? 0);
        imaginary += (odd[at] ?? 0) * (sines[angle] ?? 0);
        angle += bin;
        if (angle >= frameSamples) angle -= frameSamples;
      }
      power[bin] = real * real + imaginary * imaginary;
    }
  };

  const measureColumn = (column: number): number => {
    measurePower(column * hopSamples);
    let loudest = Number.NEGATIVE_INFINITY;
    for (const [band, { first, weights }] of filters.entries()) {
      let sum = 0;
      for (let at = 0; at < weights.length; at++) sum += (weights[at] ?? 0) * (power[first + at] ?? 0);
      const level = Math.log10(Math.max(sum, 1e-10));
      features[band * columns + column] = level;
      loudest = Math.max(loudest, level);
    }
    return loudest;
  };

  return {
    measure(samples) {
      const silentColumns = fillWindow(padded, samples);
      let loudest = Number.NEGATIVE_INFINITY;
      for (let column = 0; column < columns; column++) {
        if (column > 0 && column < silentColumns) repeatColumn(features, column);
        else loudest = Math.max(loudest, measureColumn(column));
      }
      const floor = loudest - dynamicRange;
      for (let at = 0; at < features.length; at++) features[at] = (Math.max(features[at] ?? 0, floor) + 4) / 4;
      return features;
    },
  };
}

/**
 * Places the samples at the end of the window, normalised together with the silence before them, and mirrors both ends of the window
 * outwards. Returns how many columns at the beginning contain only that silence, and are therefore equal.
 */
function fillWindow(padded: Float64Array, samples: Int16Array): number {
  const heard = samples.subarray(Math.max(0, samples.length - windowSamples));
  const silent = windowSamples - heard.length;
  let sum = 0;
  for (const sample of heard) sum += sample / 32_768;
  const mean = sum / windowSamples;
  let squares = silent * mean * mean;
  for (const sample of heard) squares += (sample / 32_768 - mean) ** 2;
  const scale = 1 / Math.sqrt(squares / windowSamples + 1e-7);
  padded.fill(-mean * scale, 0, half + silent);
  for (const [at, sample] of heard.entries()) padded[half + silent + at] = (sample / 32_768 - mean) * scale;
  for (let at = 1; at <= half; at++) {
    padded[half - at] = padded[half + at] ?? 0;
    padded[half + windowSamples - 1 + at] = padded[half + windowSamples - 1 - at] ?? 0;
  }
  return Math.max(0, Math.floor((half + silent - frameSamples) / hopSamples));
}

function repeatColumn(features: Float32Array, column: number): void {
  for (let band = 0; band < bands; band++) features[band * columns + column] = features[band * columns] ?? 0;
}

interface MelFilter {
  readonly first: number;
  readonly weights: Float64Array;
}

/** Triangles on Slaney's mel scale (linear below 1 kHz, logarithmic above), each of the same area. */
function melFilters(): readonly MelFilter[] {
  const highest = toMel(featureRateHz / 2);
  const edges = Array.from({ length: bands + 2 }, (_, at) => toHz((highest * at) / (bands + 1)));
  return Array.from({ length: bands }, (_, band) => {
    const [low = 0, peak = 0, high = 0] = edges.slice(band, band + 3);
    const weightOf = (bin: number): number => {
      const hz = (bin * featureRateHz) / frameSamples;
      return (Math.max(0, Math.min((hz - low) / (peak - low), (high - hz) / (high - peak))) * 2) / (high - low);
    };
    const first = Math.ceil((low * frameSamples) / featureRateHz);
    const last = Math.floor((high * frameSamples) / featureRateHz);
    return { first, weights: Float64Array.from({ length: last - first + 1 }, (_, at) => weightOf(first + at)) };
  });
}

const linearHzPerMel = 200 / 3;
const logarithmicFromHz = 1000;
const logarithmicFromMel = logarithmicFromHz / linearHzPerMel;
const logarithmPerMel = Math.log(6.4) / 27;

function toMel(hz: number): number {
  if (hz < logarithmicFromHz) return hz / linearHzPerMel;
  return logarithmicFromMel + Math.log(hz / logarithmicFromHz) / logarithmPerMel;
}

function toHz(mel: number): number {
  if (mel < logarithmicFromMel) return mel * linearHzPerMel;
  return logarithmicFromHz * Math.exp(logarithmPerMel * (mel - logarithmicFromMel));
}

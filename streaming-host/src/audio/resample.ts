/**
 * Sample rate conversion between the rates of telephony, recognisers and realtime models: a polyphase Kaiser-windowed
 * sinc, stateful across chunks. How a stream is cut into chunks does not change one bit of the result, and n ms in are
 * always n ms out, so a 20 ms frame stays a 20 ms frame.
 */

export const sampleRatesHz = [8_000, 16_000, 24_000, 48_000] as const;
export type SampleRateHz = (typeof sampleRatesHz)[number];

export interface Resampler {
  /**
   * At equal rates the input itself comes back. Otherwise the result is the receiver's own.
   * The sound comes out `delaySamples` later than it went in.
   */
  process(samples: Int16Array): Int16Array;
  /** Of output. Half of 16 samples of the lower rate: 0.3 to 1 ms. */
  readonly delaySamples: number;
  /** The next sample begins a new sound. */
  reset(): void;
}

/**
 * Chosen by measurement (20 ms frames, sines across the band; µs for 16 -> 24 kHz on one 2.5 GHz Xeon core, Node 24):
 *   taps   worst SNR   alias 15 % above the band   at 0.75 / 0.85 of the band   cost
 *      8       42 dB                      -25 dB                -2.4 / -5.0 dB   15 µs
 *     16       53 dB                      -54 dB                -0.3 / -2.4 dB   21 µs
 *     24       78 dB                      -79 dB                 0.0 / -1.5 dB   29 µs
 * Mu-law itself has 38 dB, so 24 would be inaudible; 8 would dull the consonants a recogniser needs. Must be a multiple
 * of 8: the loop below takes 4 taps at a time, and 24 kHz to 16 kHz needs half as many again.
 */
const TAPS = 16;
const CUTOFF = 0.92;
const KAISER_BETA = 6;

export function isSampleRate(rateHz: number): rateHz is SampleRateHz {
  return sampleRatesHz.some((supported) => supported === rateHz);
}

export function createResampler(fromHz: number, toHz: number): Resampler {
  if (!isSampleRate(fromHz) || !isSampleRate(toHz)) throw new RangeError(`cannot resample ${fromHz} Hz to ${toHz} Hz`);
  if (fromHz === toHz) return { process: (samples) => samples, delaySamples: 0, reset: () => undefined };

  const divisor = greatestCommonDivisor(fromHz, toHz);
  const up = toHz / divisor;
  const down = fromHz / divisor;
  // The filter spans TAPS samples of the lower rate, whichever side that is.
  const taps = TAPS * Math.max(1, down / up);
  const filter = polyphaseFilter(up, down, taps);

  const wholeStep = Math.floor(down / up);
  const phaseStep = (down % up) * taps;
  const phaseEnd = up * taps;

  // The last `history` samples heard, then the new chunk.
  const history = taps - 1;
  let work = new Float64Array(history);
  /** Where the next output stands relative to the next chunk: whole input samples, and the offset of its phase's coefficients. */
  let next = 0;
  let phase = 0;

  return {
    delaySamples: (taps / 2 / down) * up,
    reset() {
      work.fill(0);
      next = 0;
      phase = 0;
    },
    process(samples) {
      const count = samples.length;
      if (work.length < history + count) {
        const grown = new Float64Array(history + count);
        grown.set(work.subarray(0, history));
        work = grown;
      }
      work.set(samples, history);

      const output = new Int16Array(Math.max(0, Math.ceil(((count - next) * up - phase / taps) / down)));
      let at = next;
      let offset = phase;
      for (let index = 0; index < output.length; index++) {
        // Four sums, not one: an addition waits for the one before it, and one chain would leave the processor idle.
        let a = 0;
        let b = 0;
        let c = 0;
        let d = 0;
        for (let tap = 0; tap < taps; tap += 4) {
          a += (work[at + tap] ?? 0) * (filter[offset + tap] ?? 0);
          b += (work[at + tap + 1] ?? 0) * (filter[offset + tap + 1] ?? 0);
          c += (work[at + tap + 2] ?? 0) * (filter[offset + tap + 2] ?? 0);
          d += (work[at + tap + 3] ?? 0) * (filter[offset + tap + 3] ?? 0);
        }
        const value = Math.round(a + b + (c + d));
        output[index] = value > 32_767 ? 32_767 : value < -32_768 ? -32_768 : value;

        at += wholeStep;
        offset += phaseStep;
        if (offset >= phaseEnd) {
          offset -= phaseEnd;
          at++;
        }
      }
      next = at - count;
      phase = offset;
      work.copyWithin(0, count, count + history);
      return output;
    },
  };
}

/** A whole sound at once: its length is exact and the filter's delay is taken out. */
export function resampleAll(samples: Int16Array, fromHz: number, toHz: number): Int16Array {
  const resampler = createResampler(fromHz, toHz);
  if (resampler.delaySamples === 0) return samples;
  const padded = new Int16Array(samples.length + Math.ceil((resampler.delaySamples * fromHz) / toHz));
  padded.set(samples);
  const length = Math.ceil((samples.length * toHz) / fromHz);
  return resampler.process(padded).slice(resampler.delaySamples, resampler.delaySamples + length);
}

/** Coefficients of each phase in the order of the samples they meet (oldest first), each phase with gain 1 at 0 Hz. */
function polyphaseFilter(up: number, down: number, taps: number): Float64Array {
  const filter = new Float64Array(up * taps);
  const half = taps / 2;
  const cutoff = CUTOFF * Math.min(1, up / down);
  for (let phase = 0; phase < up; phase++) {
    let sum = 0;
    for (let tap = 0; tap < taps; tap++) {
      const distance = taps - 1 - tap + phase / up - half;
      const coefficient = sinc(cutoff * distance) * kaiser(distance / half);
      filter[phase * taps + tap] = coefficient;
      sum += coefficient;
    }
    for (let tap = 0; tap < taps; tap++) filter[phase * taps + tap] = (filter[phase * taps + tap] ?? 0) / sum;
  }
  return filter;
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

function kaiser(x: number): number {
  return Math.abs(x) >= 1 ? 0 : besselI0(KAISER_BETA * Math.sqrt(1 - x * x)) / besselI0(KAISER_BETA);
}

function besselI0(x: number): number {
  let sum = 1;
  let term = 1;
  for (let k = 1; term > sum * 1e-12; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

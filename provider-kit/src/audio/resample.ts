/**
 * Sample rate conversion between the rates of telephony, recognisers and realtime models: a polyphase Kaiser-windowed sinc, stateful across
 * chunks. The result is identical to the bit however a stream is split into chunks, and n ms in are always n ms out, so a 20 ms frame stays
 * a 20 ms frame.
 */
import { kaiserWindow, sinc } from "./windowed-sinc.ts";

export const sampleRatesHz = [8_000, 16_000, 24_000, 48_000] as const;
export type SampleRateHz = (typeof sampleRatesHz)[number];

export interface Resampler {
  /**
   * At equal rates the input itself is returned. Otherwise the receiver owns the result. The output is `delaySamples` later than the input.
   */
  process(samples: Int16Array): Int16Array;
  /** In samples at the output rate: 8 samples of the lower rate, which is 0.3 to 1 ms. */
  readonly delaySamples: number;
  /** The next sample starts a new sound. */
  reset(): void;
}

/**
 * Chosen by measurement (20 ms frames, sines across the band; µs for 16 -> 24 kHz on one core of an EPYC, Node 24):
 *   taps   worst SNR   alias 15 % above the band   at 0.75 / 0.85 of the band   cost
 *      8       42 dB                      -25 dB                -2.4 / -5.0 dB    3 µs
 *     16       53 dB                      -54 dB                -0.3 / -2.4 dB    5 µs
 *     24       78 dB                      -79 dB                 0.0 / -1.5 dB    6 µs
 * Mu-law itself has 38 dB, so 24 would be inaudible; 8 would dull the consonants a recogniser needs. Must be a multiple
 * of 4: the loops below take 2 taps at a time, and 24 kHz to 16 kHz needs half as many again.
 */
const tapsAtLowerRate = 16;
const cutoffShare = 0.92;
const kaiserBeta = 6;

/** The range of sample rates for voices: below it speech is no longer intelligible; above it nobody records speech. */
const slowestHz = 4_000;
const fastestHz = 192_000;
/**
 * A rate is rounded to the nearest multiple of this, because a ratio without a common divisor would need a filter of megabytes. All usual
 * rates are multiples (11,025 Hz too). For others the pitch changes by 0.3 % at most, which nobody notices.
 */
const stepHz = 25;

export function isReadableRate(rateHz: number): boolean {
  return rateHz >= slowestHz && rateHz <= fastestHz;
}

export function isSampleRate(rateHz: number): rateHz is SampleRateHz {
  return sampleRatesHz.some((supported) => supported === rateHz);
}

/** Converts from any supported rate to one of the service's own. */
export function createResampler(fromHz: number, toHz: number): Resampler {
  if (!isReadableRate(fromHz) || !isSampleRate(toHz))
    throw new RangeError(`cannot resample ${fromHz} Hz to ${toHz} Hz`);
  const roundedHz = Math.round(fromHz / stepHz) * stepHz;
  if (roundedHz === toHz) return sameRate;
  const divisor = greatestCommonDivisor(roundedHz, toHz);
  return new PolyphaseResampler(toHz / divisor, roundedHz / divisor);
}

/** Passes samples on unchanged. One instance serves everybody, because it has no state. */
const sameRate: Resampler = { process: (samples) => samples, delaySamples: 0, reset: () => undefined };

class PolyphaseResampler implements Resampler {
  readonly delaySamples: number;
  readonly #up: number;
  readonly #down: number;
  readonly #taps: number;
  readonly #filter: Float64Array;
  /** The last input samples, one fewer than taps, followed by the new chunk. */
  #work: Float64Array;
  /** The position of the next output sample relative to the next chunk, in whole input samples. */
  #next = 0;
  /** The fraction of an input sample by which it lies after that position, in units of 1 / `up`. */
  #phase = 0;

  constructor(up: number, down: number) {
    this.#up = up;
    this.#down = down;
    // The filter spans tapsAtLowerRate samples of the lower rate, whichever side that is.
    this.#taps = 4 * Math.ceil((tapsAtLowerRate * Math.max(1, down / up)) / 4);
    this.#filter = polyphaseFilter(up, down, this.#taps);
    this.#work = new Float64Array(this.#taps - 1);
    this.delaySamples = (this.#taps / 2 / down) * up;
  }

  reset(): void {
    this.#work.fill(0);
    this.#next = 0;
    this.#phase = 0;
  }

  process(samples: Int16Array): Int16Array {
    const count = samples.length;
    const history = this.#taps - 1;
    this.#append(samples);
    const waiting = (count - this.#next) * this.#up - this.#phase;
    const output = new Int16Array(Math.max(0, Math.ceil(waiting / this.#down)));
    this.#fill(output);
    this.#next -= count;
    this.#work.copyWithin(0, count, count + history);
    return output;
  }

  #append(samples: Int16Array): void {
    const history = this.#taps - 1;
    if (this.#work.length < history + samples.length) {
      const grown = new Float64Array(history + samples.length);
      grown.set(this.#work.subarray(0, history));
      this.#work = grown;
    }
    this.#work.set(samples, history);
  }

  /** Phase by phase: outputs of the same phase have the same coefficients, and are `down` input samples apart. */
  #fill(output: Int16Array): void {
    const up = this.#up;
    const taps = this.#taps;
    let at = this.#next;
    let phase = this.#phase;
    for (let first = 0; first < up && first < output.length; first++) {
      this.#fillPhase(output, first, at, phase * taps);
      phase += this.#down;
      at += Math.floor(phase / up);
      phase %= up;
    }
    const position = this.#next * up + this.#phase + output.length * this.#down;
    this.#next = Math.floor(position / up);
    this.#phase = position % up;
  }

  /**
   * Four outputs at a time, so that each coefficient is loaded once for four, and an addition need not wait for the previous one. The
   * remaining outputs are summed in the same order, so that the result does not depend on which of the two loops computes it.
   */
  #fillPhase(output: Int16Array, first: number, from: number, offset: number): void {
    // Local variables, because the loops run for every sample of every call.
    const work = this.#work;
    const filter = this.#filter;
    const taps = this.#taps;
    const up = this.#up;
    const down = this.#down;
    let at = from;
    let index = first;
    for (; index + 3 * up < output.length; index += 4 * up) {
      const second = at + down;
      const third = second + down;
      const fourth = third + down;
      let a = rounding;
      let b = rounding;
      let c = rounding;
      let d = rounding;
      for (let tap = 0; tap < taps; tap += 2) {
        const even = filter[offset + tap] ?? 0;
        const odd = filter[offset + tap + 1] ?? 0;
        a += (work[at + tap] ?? 0) * even + (work[at + tap + 1] ?? 0) * odd;
        b += (work[second + tap] ?? 0) * even + (work[second + tap + 1] ?? 0) * odd;
        c += (work[third + tap] ?? 0) * even + (work[third + tap + 1] ?? 0) * odd;
        d += (work[fourth + tap] ?? 0) * even + (work[fourth + tap + 1] ?? 0) * odd;
      }
      output[index] = toSample(a);
      output[index + up] = toSample(b);
      output[index + 2 * up] = toSample(c);
      output[index + 3 * up] = toSample(d);
      at = fourth + down;
    }
    for (; index < output.length; index += up) {
      let sum = rounding;
      for (let tap = 0; tap < taps; tap += 2)
        sum +=
          (work[at + tap] ?? 0) * (filter[offset + tap] ?? 0) +
          (work[at + tap + 1] ?? 0) * (filter[offset + tap + 1] ?? 0);
      output[index] = toSample(sum);
      at += down;
    }
  }
}

/** Added to the sum so that rounding down becomes rounding to the nearest. `Math.round` takes three times as long. */
const rounding = 0.5;

function toSample(sum: number): number {
  return Math.max(-32_768, Math.min(32_767, Math.floor(sum)));
}

/** Resamples a whole sound at once: its length is exact and the filter's delay is removed. */
export function resampleAll(samples: Int16Array, fromHz: number, toHz: number): Int16Array {
  const resampler = createResampler(fromHz, toHz);
  if (resampler.delaySamples === 0) return samples;
  const padded = new Int16Array(samples.length + Math.ceil((resampler.delaySamples * fromHz) / toHz));
  padded.set(samples);
  const length = Math.ceil((samples.length * toHz) / fromHz);
  return resampler.process(padded).slice(resampler.delaySamples, resampler.delaySamples + length);
}

/** Coefficients of each phase in the order of the samples they are applied to (oldest first); each phase has gain 1 at 0 Hz. */
function polyphaseFilter(up: number, down: number, taps: number): Float64Array {
  const filter = new Float64Array(up * taps);
  const half = taps / 2;
  const cutoff = cutoffShare * Math.min(1, up / down);
  for (let phase = 0; phase < up; phase++) {
    let sum = 0;
    for (let tap = 0; tap < taps; tap++) {
      const distance = taps - 1 - tap + phase / up - half;
      const coefficient = sinc(cutoff * distance) * kaiserWindow(distance / half, kaiserBeta);
      filter[phase * taps + tap] = coefficient;
      sum += coefficient;
    }
    for (let tap = 0; tap < taps; tap++) filter[phase * taps + tap] = (filter[phase * taps + tap] ?? 0) / sum;
  }
  return filter;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

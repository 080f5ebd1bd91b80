/**
 * Sample rate conversion between the rates of telephony, recognisers and realtime models: a polyphase Kaiser-windowed
 * sinc, stateful across chunks. How a stream is cut into chunks does not change one bit of the result, and n ms in are
 * always n ms out, so a 20 ms frame stays a 20 ms frame.
 */
import { kaiserWindow, sinc } from "./windowed-sinc.ts";

export const sampleRatesHz = [8_000, 16_000, 24_000, 48_000] as const;
export type SampleRateHz = (typeof sampleRatesHz)[number];

export interface Resampler {
  /**
   * At equal rates the input itself comes back. Otherwise the result is the receiver's own.
   * The sound comes out `delaySamples` later than it went in.
   */
  process(samples: Int16Array): Int16Array;
  /** In samples at the rate of the output: 8 samples of the lower rate, which is 0.3 to 1 ms. */
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
  return new PolyphaseResampler(toHz / divisor, fromHz / divisor);
}

class PolyphaseResampler implements Resampler {
  readonly delaySamples: number;
  readonly #up: number;
  readonly #down: number;
  readonly #taps: number;
  readonly #filter: Float64Array;
  /** The last samples heard, one fewer than taps, then the new chunk. */
  #work: Float64Array;
  /** Where the next output stands relative to the next chunk, in whole input samples. */
  #next = 0;
  /** The offset of its phase's coefficients in the filter. */
  #phase = 0;

  constructor(up: number, down: number) {
    this.#up = up;
    this.#down = down;
    // The filter spans TAPS samples of the lower rate, whichever side that is.
    this.#taps = TAPS * Math.max(1, down / up);
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
    const waiting = (count - this.#next) * this.#up - this.#phase / this.#taps;
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

  #fill(output: Int16Array): void {
    // Locals: the loop runs for every sample of every call.
    const work = this.#work;
    const filter = this.#filter;
    const taps = this.#taps;
    const wholeStep = Math.floor(this.#down / this.#up);
    const phaseStep = (this.#down % this.#up) * taps;
    const phaseEnd = this.#up * taps;
    let at = this.#next;
    let offset = this.#phase;
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
      output[index] = Math.max(-32_768, Math.min(32_767, Math.round(a + b + (c + d))));

      at += wholeStep;
      offset += phaseStep;
      if (offset >= phaseEnd) {
        offset -= phaseEnd;
        at++;
      }
    }
    this.#next = at;
    this.#phase = offset;
  }
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
      const coefficient = sinc(cutoff * distance) * kaiserWindow(distance / half, KAISER_BETA);
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

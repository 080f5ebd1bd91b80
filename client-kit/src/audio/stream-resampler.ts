/**
 * Converts a stream's sample rate, between any two rates: a browser's context runs at 44.1, 48 or 96 kHz, with no
 * choice that works everywhere, and the service needs 16 or 24. Band-limited (a windowed sinc), because dropping
 * samples folds everything above the new half rate back onto the voice.
 */
import { kaiserWindow, sinc } from "@voice/provider-kit/audio/windowed-sinc";

/** Zero crossings on each side: about 80 dB of stop band, 1 ms of delay at 16 kHz. */
const zeroCrossings = 16;
const stepsPerCrossing = 256;
/** The share of the band that is kept; the rest is the filter's transition. */
const rollOff = 0.92;
const kaiserBeta = 8;

const kernel = kernelTable();

export class StreamResampler {
  readonly #fromHz: number;
  readonly #toHz: number;
  /** Kernel steps per input sample. */
  readonly #stepsPerSample: number;
  readonly #gain: number;
  readonly #halfWidth: number;
  #input: Float32Array;
  #output = new Float32Array(0);
  /** The position of the next output in `#input`: whole samples, and the rest in 1/toHz, so that it never drifts. */
  #position: number;
  #remainder = 0;

  constructor(fromHz: number, toHz: number) {
    this.#fromHz = fromHz;
    this.#toHz = toHz;
    const bandwidth = rollOff * Math.min(1, toHz / fromHz);
    this.#gain = bandwidth;
    this.#stepsPerSample = bandwidth * stepsPerCrossing;
    this.#halfWidth = Math.ceil(zeroCrossings / bandwidth);
    this.#input = new Float32Array(this.#halfWidth);
    this.#position = this.#halfWidth;
  }

  /** The result is valid until the next call. With equal rates it is the input itself. */
  process(samples: Float32Array): Float32Array {
    if (this.#fromHz === this.#toHz) return samples;
    const input = this.#append(samples);
    const last = input.length - this.#halfWidth;
    let count = 0;
    const room = Math.ceil((samples.length * this.#toHz) / this.#fromHz) + 1;
    if (this.#output.length < room) this.#output = new Float32Array(room);
    while (this.#position < last) {
      this.#output[count] = this.#interpolate(input);
      count += 1;
      this.#remainder += this.#fromHz;
      this.#position += Math.floor(this.#remainder / this.#toHz);
      this.#remainder %= this.#toHz;
    }
    const consumed = this.#position - this.#halfWidth;
    this.#input = input.subarray(consumed);
    this.#position -= consumed;
    return this.#output.subarray(0, count);
  }

  #append(samples: Float32Array): Float32Array {
    const joined = new Float32Array(this.#input.length + samples.length);
    joined.set(this.#input);
    joined.set(samples, this.#input.length);
    return joined;
  }

  #interpolate(input: Float32Array): number {
    const fraction = this.#remainder / this.#toHz;
    let sum = 0;
    for (let offset = 1 - this.#halfWidth; offset <= this.#halfWidth; offset += 1) {
      const step = Math.abs(offset - fraction) * this.#stepsPerSample;
      const index = Math.floor(step);
      const left = kernel[index] ?? 0;
      const right = kernel[index + 1] ?? 0;
      sum += (input[this.#position + offset] ?? 0) * (left + (right - left) * (step - index));
    }
    return sum * this.#gain;
  }
}

/** One side of the windowed sinc, which is symmetric. Beyond its end it is zero. */
function kernelTable(): Float32Array {
  const length = zeroCrossings * stepsPerCrossing;
  return Float32Array.from({ length: length + 1 }, (_, step) => {
    const x = step / stepsPerCrossing;
    return sinc(x) * kaiserWindow(step / length, kaiserBeta);
  });
}

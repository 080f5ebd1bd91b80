/**
 * The loudness of a frame without the frequencies below voices: the DC offset of a cheap sound card, the hum of the mains, the rumble of a
 * car. Each of them is in every frame and raises the noise floor, so that speech would no longer stand out from it although it is just as
 * audible.
 */

/** Mains hum has 50 or 60 Hz. Telephones transmit from 300 Hz; deep voices at a microphone have 80 Hz and strong overtones. */
const cutoffHz = 150;
const fullScale = 32_768;
/** A level, in units of a sample, that counts as none: far below one step. */
const negligible = 1e-6;

/**
 * A second-order Butterworth high-pass: it attenuates 50 Hz by 19 dB, 100 Hz by 8 dB, and 300 Hz not at all. 1.4 µs per 20 ms at 16 kHz.
 */
export class LevelAboveHum {
  readonly #gain: number;
  readonly #feedback1: number;
  readonly #feedback2: number;
  #state1 = 0;
  #state2 = 0;

  constructor(sampleRateHz: number) {
    const slope = Math.tan((Math.PI * cutoffHz) / sampleRateHz);
    const norm = 1 + Math.SQRT2 * slope + slope * slope;
    this.#gain = 1 / norm;
    this.#feedback1 = (2 * (slope * slope - 1)) / norm;
    this.#feedback2 = (1 - Math.SQRT2 * slope + slope * slope) / norm;
  }

  /** Returns the root mean square of the next frame, 0 to 1. The frames have to be consecutive. */
  next(samples: Int16Array): number {
    const gain = this.#gain;
    const feedback1 = this.#feedback1;
    const feedback2 = this.#feedback2;
    // Local variables: writing the numbers to the fields for each sample would create garbage.
    let state1 = this.#state1;
    let state2 = this.#state2;
    let sum = 0;
    for (let index = 0; index < samples.length; index++) {
      const scaled = gain * (samples[index] ?? 0);
      const heard = scaled + state1;
      state1 = state2 - 2 * scaled - feedback1 * heard;
      state2 = scaled - feedback2 * heard;
      sum += heard * heard;
    }
    // In silence they would become denormal numbers, for which a processor takes a hundred times as long.
    this.#state1 = Math.abs(state1) < negligible ? 0 : state1;
    this.#state2 = Math.abs(state2) < negligible ? 0 : state2;
    return samples.length === 0 ? 0 : Math.sqrt(sum / samples.length) / fullScale;
  }
}

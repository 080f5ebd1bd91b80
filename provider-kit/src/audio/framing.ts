/**
 * Chunks of any length in, frames of exactly `frameSamples` out, in order, without loss. A chunk that already has the length of a frame is
 * passed on unchanged. Otherwise samples are copied once into the frame that will be passed on, so that frame is the only allocation.
 */

export function createFramer(frameSamples: number): Framer {
  if (!Number.isInteger(frameSamples) || frameSamples <= 0) throw new RangeError("frame length must be positive");
  return new Framer(frameSamples);
}

export class Framer {
  readonly #frameSamples: number;
  /** The incomplete frame; undefined if there is none. */
  #frame: Int16Array | undefined;
  #filled = 0;

  constructor(frameSamples: number) {
    this.#frameSamples = frameSamples;
  }

  /** Calls `emit` for each frame that is complete; the receiver owns the frame. The framer owns `samples` from now on. */
  push(samples: Int16Array, emit: (frame: Int16Array) => void): void {
    if (this.#filled === 0 && samples.length === this.#frameSamples) {
      emit(samples);
      return;
    }
    for (let offset = 0; offset < samples.length;) {
      const count = Math.min(this.#frameSamples - this.#filled, samples.length - offset);
      const frame = (this.#frame ??= new Int16Array(this.#frameSamples));
      frame.set(count === samples.length ? samples : samples.subarray(offset, offset + count), this.#filled);
      this.#filled += count;
      offset += count;
      if (this.#filled < this.#frameSamples) return;
      this.reset(); // before `emit`, so that a receiver that throws or resets leaves the framer consistent
      emit(frame);
    }
  }

  /** Completes the last frame with silence; undefined if there is none. */
  flush(): Int16Array | undefined {
    const last = this.#frame;
    this.reset();
    return last;
  }

  /** Discards the incomplete frame (a reply was interrupted). */
  reset(): void {
    this.#frame = undefined;
    this.#filled = 0;
  }
}

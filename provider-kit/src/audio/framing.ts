/**
 * Chunks of any length in, frames of exactly `frameSamples` out, in order, nothing lost. A chunk that is a frame already is handed
 * on as it is. Otherwise the frame being filled is the one that will be handed out, so each sample is copied once and the frame
 * itself is the only allocation.
 */

export interface Framer {
  /** Calls `emit` for each frame that became full; the receiver owns it. The samples are the framer's from now on. */
  push(samples: Int16Array, emit: (frame: Int16Array) => void): void;
  /** Completes the last frame with silence; undefined when nothing is waiting. */
  flush(): Int16Array | undefined;
  /** Forgets what is waiting (a reply was interrupted). */
  reset(): void;
  readonly pendingSamples: number;
}

export function createFramer(frameSamples: number): Framer {
  if (!Number.isInteger(frameSamples) || frameSamples <= 0) throw new RangeError("frame length must be positive");
  return new FillingFramer(frameSamples);
}

class FillingFramer implements Framer {
  readonly #frameSamples: number;
  /** Undefined while nothing is waiting. */
  #frame: Int16Array | undefined;
  #filled = 0;

  constructor(frameSamples: number) {
    this.#frameSamples = frameSamples;
  }

  get pendingSamples(): number {
    return this.#filled;
  }

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
      this.reset(); // before `emit`: a receiver that throws or resets leaves us consistent
      emit(frame);
    }
  }

  flush(): Int16Array | undefined {
    const last = this.#frame;
    this.reset();
    return last;
  }

  reset(): void {
    this.#frame = undefined;
    this.#filled = 0;
  }
}

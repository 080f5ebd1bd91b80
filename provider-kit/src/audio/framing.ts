/**
 * Chunks of any length in, frames of exactly `frameSamples` out, in order, nothing lost. The frame being filled is the
 * one that will be handed out, so each sample is copied once and the frame itself is the only allocation.
 */

export interface Framer {
  /** Calls `emit` for each frame that became full; the receiver owns it. */
  push(samples: Int16Array, emit: (frame: Int16Array) => void): void;
  /** Completes the last frame with silence; undefined when nothing is waiting. */
  flush(): Int16Array | undefined;
  /** Forgets what is waiting (a reply was interrupted). */
  reset(): void;
  readonly pendingSamples: number;
}

export function createFramer(frameSamples: number): Framer {
  if (!Number.isInteger(frameSamples) || frameSamples <= 0) throw new RangeError("frame length must be positive");
  let frame = new Int16Array(frameSamples);
  let filled = 0;

  return {
    push(samples, emit) {
      for (let offset = 0; offset < samples.length;) {
        const count = Math.min(frameSamples - filled, samples.length - offset);
        frame.set(count === samples.length ? samples : samples.subarray(offset, offset + count), filled);
        filled += count;
        offset += count;
        if (filled < frameSamples) return;
        const full = frame;
        frame = new Int16Array(frameSamples);
        filled = 0; // before `emit`: a receiver that throws or resets leaves us consistent
        emit(full);
      }
    },
    flush() {
      if (filled === 0) return undefined;
      const last = frame;
      frame = new Int16Array(frameSamples);
      filled = 0;
      return last;
    },
    reset() {
      frame.fill(0, 0, filled);
      filled = 0;
    },
    get pendingSamples() {
      return filled;
    },
  };
}

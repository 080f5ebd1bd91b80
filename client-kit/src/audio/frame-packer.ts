/** Collects the worklet's blocks of 128 samples into frames for the wire: 20 ms of PCM16. */

const frameMs = 20;

export class FramePacker {
  #frame: Int16Array<ArrayBuffer>;
  #filled = 0;

  constructor(sampleRateHz: number) {
    this.#frame = new Int16Array((sampleRateHz * frameMs) / 1000);
  }

  /** Passes each completed frame to the callback, which then owns it. */
  push(samples: Float32Array, onFrame: (frame: Int16Array<ArrayBuffer>) => void): void {
    for (const sample of samples) {
      this.#frame[this.#filled] = toPcm16(sample);
      this.#filled += 1;
      if (this.#filled < this.#frame.length) continue;
      const full = this.#frame;
      this.#frame = new Int16Array(full.length);
      this.#filled = 0;
      onFrame(full);
    }
  }
}

/** Clips, because a typed array would wrap 1.0001 around to full negative. */
function toPcm16(sample: number): number {
  return Math.round(Math.max(-1, Math.min(1, sample)) * 32_767);
}

export function fromPcm16(samples: Int16Array): Float32Array {
  return Float32Array.from(samples, (sample) => sample / 32_768);
}

/** Root mean square, 0 to 1. */
export function loudness(samples: Float32Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return samples.length === 0 ? 0 : Math.sqrt(sum / samples.length);
}

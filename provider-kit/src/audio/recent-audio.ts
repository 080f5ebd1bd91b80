/**
 * The newest samples of one line, retained for those who occasionally examine them: for the prosody of the last words, or for echo on the
 * line. Each frame is copied once for all of them.
 */
export class RecentAudio {
  readonly #samples: Int16Array;
  #end = 0;

  constructor(samples: number) {
    this.#samples = new Int16Array(samples);
  }

  /** How many samples were pushed in total. */
  get end(): number {
    return this.#end;
  }

  /** Copies. At most as many samples as are retained. */
  push(samples: Int16Array): void {
    const at = this.#end % this.#samples.length;
    const room = this.#samples.length - at;
    if (samples.length <= room) this.#samples.set(samples, at);
    else {
      this.#samples.set(samples.subarray(0, room), at);
      this.#samples.set(samples.subarray(room), 0);
    }
    this.#end += samples.length;
  }

  /** Copies into `target` the samples that end `samplesAgo` samples before the newest. What precedes the first sample is silence. */
  read(target: Int16Array, samplesAgo = 0): void {
    const size = this.#samples.length;
    const from = this.#end - samplesAgo - target.length;
    for (let copied = 0; copied < target.length;) {
      const at = (((from + copied) % size) + size) % size;
      const part = this.#samples.subarray(at, at + target.length - copied);
      target.set(part, copied);
      copied += part.length;
    }
  }
}

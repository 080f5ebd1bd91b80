/**
 * The newest samples of one line, kept for those who look back now and then: how the last words were said, whether the line
 * carries an echo. Every frame costs one copy for all of them.
 */
export class RecentAudio {
  readonly #samples: Int16Array;
  #end = 0;

  constructor(samples: number) {
    this.#samples = new Int16Array(samples);
  }

  /** How many samples there were in all. */
  get end(): number {
    return this.#end;
  }

  /** Copies. At most as many samples as are kept. */
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

  /** Copies the samples that end so many samples ago into `target`; what was before the first one is silence. */
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

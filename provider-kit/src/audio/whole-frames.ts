/** Cuts a stream of bytes between frames, of one sample for each channel, wherever the sender has cut it. */

const noBytes = new Uint8Array(0);

export class WholeFrames {
  readonly #frameBytes: number;
  #rest: Uint8Array = noBytes;

  constructor(frameBytes: number) {
    this.#frameBytes = frameBytes;
  }

  /** A part of a frame waits for what follows. */
  get isOpen(): boolean {
    return this.#rest.length > 0;
  }

  /** The frames that are whole by now; what waits is copied, because the chunk's memory belongs to its sender. */
  push(chunk: Uint8Array): Uint8Array {
    const over = (this.#rest.length + chunk.length) % this.#frameBytes;
    if (!this.isOpen && over === 0) return chunk;
    const joined = Buffer.concat([this.#rest, chunk]);
    this.#rest = over === 0 ? noBytes : Uint8Array.from(joined.subarray(joined.length - over));
    return joined.subarray(0, joined.length - over);
  }
}

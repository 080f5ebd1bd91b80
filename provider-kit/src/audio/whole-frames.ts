/** Splits a stream of bytes at frame boundaries (a frame has one sample for each channel), wherever the sender has split it. */

const noBytes = new Uint8Array(0);

export class WholeFrames {
  readonly #frameBytes: number;
  #rest: Uint8Array = noBytes;

  constructor(frameBytes: number) {
    this.#frameBytes = frameBytes;
  }

  /** Part of a frame is waiting for its remaining bytes. */
  get isOpen(): boolean {
    return this.#rest.length > 0;
  }

  /** Returns the frames that are complete. The remainder is copied, because the chunk's memory belongs to its sender. */
  push(chunk: Uint8Array): Uint8Array {
    const over = (this.#rest.length + chunk.length) % this.#frameBytes;
    if (!this.isOpen && over === 0) return chunk;
    const joined = Buffer.concat([this.#rest, chunk]);
    this.#rest = over === 0 ? noBytes : Uint8Array.from(joined.subarray(joined.length - over));
    return joined.subarray(0, joined.length - over);
  }
}

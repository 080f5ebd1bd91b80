/**
 * Joins samples that a service has split, because its audio arrives in pieces with any number of bytes. Otherwise half a sample would be
 * lost, and all that follows would be noise.
 */

/** One piece of an item's audio: whole samples, and the first byte of the next one if its second byte is still to come. */
export interface AudioPiece {
  readonly itemId: string;
  readonly samples: Int16Array;
  readonly firstByte?: number;
}

export class SplitSamples {
  #itemId = "";
  #firstByte: number | undefined;

  /** Half a sample is waiting for its second byte. */
  get isOpen(): boolean {
    return this.#firstByte !== undefined;
  }

  join({ itemId, samples, firstByte }: AudioPiece): Int16Array {
    const bytes = [
      ...(itemId === this.#itemId && this.#firstByte !== undefined ? [this.#firstByte] : []),
      ...new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength),
      ...(firstByte === undefined ? [] : [firstByte]),
    ];
    this.#itemId = itemId;
    this.#firstByte = bytes.length % 2 === 1 ? bytes.pop() : undefined;
    return new Int16Array(Uint8Array.from(bytes).buffer);
  }
}

/**
 * Joins samples that a service has cut in two, because it sends its audio in pieces of any number of bytes. Otherwise half a sample
 * is lost, and all that follows is noise.
 */

/** One piece of an item's audio: whole samples, and the first byte of the next one if its other byte is still to come. */
export interface AudioPiece {
  readonly itemId: string;
  readonly samples: Int16Array;
  readonly firstByte?: number;
}

export class SplitSamples {
  #itemId = "";
  #firstByte: number | undefined;

  /** Half a sample waits for what follows. */
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

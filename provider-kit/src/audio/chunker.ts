/** Outgoing bytes in chunks of the negotiated size; the remainder at the end of a reply is padded with silence. */

export interface Chunker {
  push(bytes: Uint8Array, emit: (chunk: Uint8Array) => void): void;
  /** Sends the remainder, padded with silence. */
  flush(emit: (chunk: Uint8Array) => void): void;
  /** Discards the remainder. */
  reset(): void;
}

/** `sampleBytes`: the size of a sample of all channels. After a chunk that ends within a sample, the next one begins with silence up to its end. */
export function createChunker(chunkBytes: number, silence: number, sampleBytes = 1): Chunker {
  const chunk = new Uint8Array(chunkBytes);
  let filled = 0;
  /** How many of the filled bytes only complete a sample of the chunk before. */
  let completing = 0;
  /** How many bytes of an incomplete sample were emitted last. */
  let begun = 0;

  const send = (emit: (chunk: Uint8Array) => void): void => {
    begun = (begun + chunkBytes) % sampleBytes;
    filled = 0;
    completing = 0;
    emit(chunk);
  };
  const beginAnew = (): void => {
    completing = (sampleBytes - begun) % sampleBytes;
    chunk.fill(silence, 0, completing);
    filled = completing;
  };

  return {
    push(bytes, emit) {
      for (let at = 0; at < bytes.length;) {
        const count = Math.min(chunkBytes - filled, bytes.length - at);
        chunk.set(bytes.subarray(at, at + count), filled);
        filled += count;
        at += count;
        if (filled < chunkBytes) return;
        send(emit);
      }
    },
    flush(emit) {
      if (filled === completing) return;
      chunk.fill(silence, filled);
      send(emit);
      beginAnew();
    },
    reset: beginAnew,
  };
}

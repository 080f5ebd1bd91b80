/** Outgoing bytes in chunks of the negotiated size; the remainder at the end of a reply is padded with silence. */

export interface Chunker {
  push(bytes: Uint8Array, emit: (chunk: Uint8Array) => void): void;
  /** Sends the remainder, padded with silence. */
  flush(emit: (chunk: Uint8Array) => void): void;
  /** Discards the remainder. */
  reset(): void;
}

export function createChunker(chunkBytes: number, silence: number): Chunker {
  const chunk = new Uint8Array(chunkBytes);
  let filled = 0;

  return {
    push(bytes, emit) {
      for (let at = 0; at < bytes.length;) {
        const count = Math.min(chunkBytes - filled, bytes.length - at);
        chunk.set(bytes.subarray(at, at + count), filled);
        filled += count;
        at += count;
        if (filled < chunkBytes) return;
        filled = 0;
        emit(chunk);
      }
    },
    flush(emit) {
      if (filled === 0) return;
      chunk.fill(silence, filled);
      filled = 0;
      emit(chunk);
    },
    reset() {
      filled = 0;
    },
  };
}

/** A file that a program writes, in memory. */
export interface MemoryFile {
  write(bytes: Uint8Array): void;
  /** `whence`: 0 from the start, 1 from here, 2 from the end. Returns the new position. */
  seek(offset: number, whence: number): number;
  contents(): Uint8Array;
}

export function createMemoryFile(): MemoryFile {
  // 64 KB is two seconds of 16 kHz speech, a short clause.
  let bytes = new Uint8Array(65_536);
  let size = 0;
  let position = 0;
  return {
    write(added) {
      const end = position + added.length;
      if (end > bytes.length) {
        const grown = new Uint8Array(Math.max(end, bytes.length * 2));
        grown.set(bytes.subarray(0, size));
        bytes = grown;
      }
      bytes.set(added, position);
      position = end;
      size = Math.max(size, end);
    },
    seek(offset, whence) {
      position = Math.max(0, offset + (whence === 0 ? 0 : whence === 1 ? position : size));
      return position;
    },
    contents: () => bytes.subarray(0, size),
  };
}

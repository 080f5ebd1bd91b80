import { describe, expect, it } from "vitest";
import { createChunker } from "./chunker.ts";

const silence = 0;

describe("a chunker", () => {
  it("keeps samples whole for who joins its chunks, however a reply ends within them", () => {
    const chunker = createChunker(8, silence, 3);
    const chunks: Uint8Array[] = [];
    const emit = (chunk: Uint8Array): void => void chunks.push(chunk.slice());
    const sample = (value: number): Uint8Array => Uint8Array.of(value, value, value);
    for (const value of [1, 2, 3, 4]) chunker.push(sample(value), emit);
    chunker.flush(emit);
    for (const value of [5, 6, 7, 8, 9]) chunker.push(sample(value), emit);
    chunker.reset();
    chunker.flush(emit);
    for (const value of [10, 11]) chunker.push(sample(value), emit);
    chunker.flush(emit);
    chunker.flush(emit);
    const bytes = chunks.flatMap((chunk) => [...chunk]);
    expect(chunks.map(({ length }) => length)).toEqual(chunks.map(() => 8));
    const samples = Array.from({ length: Math.floor(bytes.length / 3) }, (_, at) => bytes.slice(3 * at, 3 * at + 3));
    // What was reset is cut off within its last sample, which silence completes.
    expect(samples.filter((three) => three.some((byte) => byte !== silence))).toEqual([
      [1, 1, 1],
      [2, 2, 2],
      [3, 3, 3],
      [4, 4, 4],
      [5, 5, 5],
      [6, 6, 6],
      [7, 7, 7],
      [8, 8, 8],
      [9, 9, 0],
      [10, 10, 10],
      [11, 11, 11],
    ]);
  });
});

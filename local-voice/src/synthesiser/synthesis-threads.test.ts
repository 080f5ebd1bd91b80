import { describe, expect, it } from "vitest";
import { synthesisThreads } from "./synthesis-threads.ts";

describe("the threads of the local synthesiser", () => {
  it.each([
    [4, 2, 1],
    [4, 8, 4],
    [2, 8, 2],
    [0, 8, 1],
    [4, 1, 1],
  ])("with MAX_TTS_POOL_SIZE=%i on %i cores are %i", (poolSize, cores, threads) => {
    expect(synthesisThreads(poolSize, cores)).toBe(threads);
  });
});

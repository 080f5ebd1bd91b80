import { describe, expect, it } from "vitest";
import { createDecoderPool } from "./decoder-pool.ts";
import type { DecoderFactory } from "./decoder.ts";
import { fakeDecoder } from "./fake-decoders.ts";
import { oneOf } from "./grammar.ts";

const grammar = oneOf(["yes"]);

function countingFactory() {
  let count = 0;
  const factory: DecoderFactory = {
    create: async () => {
      count++;
      return fakeDecoder(() => ({ text: "", score: 0 }));
    },
  };
  /** How many there are, once those that are being made are ready. */
  const made = async (): Promise<number> => {
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
    return count;
  };
  return { factory, made };
}

describe("the decoders of a thread", () => {
  it("become more, up to the limit, while callers who speak have none", async () => {
    const { factory, made } = countingFactory();
    const pool = await createDecoderPool(factory, { warm: 1, max: 3 });
    await pool.prepare(grammar, new Set());
    expect(pool.take(grammar)?.grammar).toBe(grammar);
    for (const frame of [1, 2, 3]) expect([frame, pool.take(grammar)]).toEqual([frame, undefined]);
    expect(await made()).toBe(2);
    expect(pool.take(grammar)?.grammar).toBe(grammar);
    pool.take(grammar);
    expect(await made()).toBe(3);
    expect(pool.take(grammar)?.grammar).toBe(grammar);
    pool.take(grammar);
    expect(await made()).toBe(3);
    expect(pool.take(grammar)).toBeUndefined();
  });

  it("stay as many as they are while one is free", async () => {
    const { factory, made } = countingFactory();
    const pool = await createDecoderPool(factory, { warm: 1, max: 3 });
    for (let turn = 0; turn < 3; turn++) {
      const decoder = pool.take(grammar);
      if (decoder !== undefined) pool.release(decoder);
    }
    expect(await made()).toBe(1);
  });

  it("serve those who wait by turns where another one cannot be made, and say why when it is asked for", async () => {
    const decoder = fakeDecoder(() => ({ text: "", score: 0 }));
    const decoders = [decoder];
    const create = async () => {
      const next = decoders.pop();
      if (next === undefined) throw new Error("out of memory");
      return next;
    };
    const pool = await createDecoderPool({ create }, { warm: 1, max: 2 });
    expect(pool.take(grammar)).toBe(decoder);
    expect(pool.take(grammar)).toBeUndefined();
    await expect(pool.prepare(grammar, new Set())).rejects.toThrow("out of memory");
    pool.release(decoder);
    expect(pool.take(grammar)).toBe(decoder);
  });
});

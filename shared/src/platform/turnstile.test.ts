import { describe, expect, it } from "vitest";
import { createTurnstile } from "./turnstile.ts";

const nextRound = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

describe("a turnstile", () => {
  it("lets the first through at once, and the others one per round of the event loop, in order", async () => {
    const turn = createTurnstile();
    const through: number[] = [];
    for (const nth of [1, 2, 3, 4]) void turn().then(() => through.push(nth));
    await Promise.resolve();
    expect(through).toEqual([1]);
    for (const nth of [2, 3, 4]) {
      await nextRound();
      expect(through.at(-1)).toBe(nth);
      expect(through).toHaveLength(nth);
    }
  });

  it("lets the next one through at once when nobody has come for a while", async () => {
    const turn = createTurnstile();
    await turn();
    await nextRound();
    let isThrough = false;
    void turn().then(() => (isThrough = true));
    await Promise.resolve();
    expect(isThrough).toBe(true);
  });
});

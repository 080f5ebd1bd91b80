import { describe, expect, it } from "vitest";
import { explore } from "./explore.ts";
import type { Model } from "./explore.ts";

/** A counter that can be doubled or grow by one, and must not become what is forbidden. */
function counter(forbidden: number, limit: number): Model<number> {
  return {
    starts: [{ words: "begin with 1", make: () => 1 }],
    moves: (count) =>
      count >= limit
        ? []
        : [
            { words: "add 1", make: () => count + 1 },
            { words: "double", make: () => count * 2 },
          ],
    key: String,
    broken: (count) => (count === forbidden ? `it must not be ${forbidden}` : undefined),
  };
}

describe("an exploration", () => {
  it("finds the shortest way to what is broken", async () => {
    const { counterexample } = await explore(counter(12, 100), { depth: 10 });
    expect(counterexample).toEqual(["begin with 1", "add 1", "add 1", "double", "double", "it must not be 12"]);
  });

  it("visits each state once, and says when there is nothing more to find", async () => {
    expect(await explore(counter(0, 8), { depth: 20 })).toMatchObject({
      states: 11,
      isComplete: true,
      isExhausted: true,
      counterexample: undefined,
    });
  });

  it("says when it was stopped by a bound", async () => {
    expect(await explore(counter(0, 100), { depth: 3 })).toMatchObject({ isComplete: true, isExhausted: false });
    expect(await explore(counter(0, 100), { depth: 9, maxStates: 5 })).toMatchObject({ states: 5, isComplete: false });
  });
});

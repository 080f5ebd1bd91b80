import { describe, expect, it } from "vitest";
import { countPrepared, preparedLine } from "./prepared-answers.ts";

describe("the count of prepared answers", () => {
  it("is of turns whose end was estimated, and counts every one that was discarded", () => {
    const counted = countPrepared([
      { metrics: { wait_ms: 180, prepared_ms: 120 } },
      { metrics: { wait_ms: 500, preparations_discarded: 2 } },
      { metrics: { wait_ms: 180, prepared_ms: 150, preparations_discarded: 1 } },
      { metrics: { end_of_turn_ms: 0 } },
    ]);
    expect(counted).toEqual({ turns: 3, used: 2, discarded: 3 });
    expect(preparedLine(counted)).toBe("prepared answers: used in 2 of 3 turns (67 %), 3 of 5 prepared in vain (60 %)");
  });

  it("is nothing where nobody spoke", () => {
    expect(preparedLine(countPrepared([]))).toBe(
      "prepared answers: used in 0 of 0 turns (0 %), 0 of 0 prepared in vain (0 %)",
    );
  });
});

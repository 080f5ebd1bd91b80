import { describe, expect, it } from "vitest";
import { exitCodeOf } from "./exit-code.ts";

const held = { sessions: 3, failed: 0, notHeld: 1, notJudged: 1 };

describe("the exit code of a run", () => {
  it("[EVAL-3c] is 1 where no session has a result", () => {
    expect(exitCodeOf(held, undefined, undefined)).toBe(0);
    expect(exitCodeOf({ ...held, notJudged: 2 }, undefined, undefined)).toBe(1);
  });

  it("[EVAL-11] is 1 where a session has failed, unless a baseline says how many may", () => {
    expect(exitCodeOf({ ...held, failed: 1, notJudged: 0 }, undefined, undefined)).toBe(1);
    expect(exitCodeOf({ ...held, failed: 1, notJudged: 0 }, [{ hasFallen: false }], undefined)).toBe(0);
  });

  it("[EVAL-7c] is 1 where a criterion has fallen", () => {
    expect(exitCodeOf(held, [{ hasFallen: false }], undefined)).toBe(0);
    expect(exitCodeOf(held, [{ hasFallen: false }, { hasFallen: true }], undefined)).toBe(1);
  });

  it("[EVAL-6] is 2 where a price is missing, and not where the budget is spent", () => {
    expect(exitCodeOf(held, undefined, "price-missing")).toBe(2);
    expect(exitCodeOf(held, undefined, "budget-spent")).toBe(0);
  });
});

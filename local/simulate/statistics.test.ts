import { describe, expect, it } from "vitest";
import { compareWith } from "./baseline.ts";
import { passPowerK, probabilityOfFall } from "./statistics.ts";

describe("pass^k", () => {
  it("[EVAL-4] is the chance that k sessions drawn from the group all pass", () => {
    expect(passPowerK(3, 4, 1)).toBeCloseTo(3 / 4, 12);
    expect(passPowerK(3, 4, 2)).toBeCloseTo(3 / 6, 12);
    expect(passPowerK(3, 4, 4)).toBe(0);
    expect(passPowerK(4, 4, 4)).toBe(1);
    expect(passPowerK(4, 4, 5)).toBeUndefined();
  });
});

describe("the probability of a fall by chance", () => {
  it("[EVAL-7a] is that of Fisher's exact test", () => {
    // All of 8 + 8 with 12 passes: C(8,4)/C(16,4)... by hand: P(now <= 4) = C(12,4) C(4,4) / C(16,8).
    expect(probabilityOfFall({ passed: 8, total: 8 }, { passed: 4, total: 8 })).toBeCloseTo(495 / 12_870, 10);
    expect(probabilityOfFall({ passed: 20, total: 20 }, { passed: 16, total: 20 })).toBeCloseTo(0.053, 3);
    expect(probabilityOfFall({ passed: 5, total: 10 }, { passed: 10, total: 10 })).toBe(1);
  });
});

const of = (...passed: readonly number[]) => ({
  scenario: "banking",
  criteria: Object.fromEntries(passed.map((count, index) => [`c${index}`, { passed: count, total: 20 }])),
});

describe("the comparison with a baseline", () => {
  it("[EVAL-7a] [EVAL-7c] finds the criterion that fell, and by how much", () => {
    const fallen = compareWith(of(20, 20, 20, 20), of(20, 12, 20, 19)).filter(({ hasFallen }) => hasFallen);
    expect(fallen).toMatchObject([{ criterion: "c1", before: 1, now: 0.6 }]);
  });

  it("[EVAL-7b] takes noise for noise, the more so the more criteria there are", () => {
    const hasFallen = (before: ReturnType<typeof of>, now: ReturnType<typeof of>): boolean =>
      compareWith(before, now).some((comparison) => comparison.hasFallen);
    expect(hasFallen(of(20, 20), of(17, 20))).toBe(false);
    expect(hasFallen(of(20), of(15))).toBe(true);
    expect(hasFallen(of(20, 20, 20, 20), of(15, 20, 20, 20))).toBe(false);
    expect(hasFallen(of(12, 12), of(20, 20))).toBe(false);
  });

  it("[EVAL-7b] alarms in at most one of twenty runs in which nothing has changed", () => {
    let state = 7;
    const random = (): number => {
      state = (state * 48_271) % 2_147_483_647;
      return state / 2_147_483_647;
    };
    const run = () =>
      of(...[0.9, 0.8, 0.95, 0.7].map((rate) => Array.from({ length: 20 }, random).filter((at) => at < rate).length));
    const alarms = Array.from({ length: 2000 }, () => compareWith(run(), run())).filter((comparisons) =>
      comparisons.some(({ hasFallen }) => hasFallen),
    );
    expect(alarms.length / 2000).toBeLessThanOrEqual(0.05);
  });

  it("leaves out criteria that one of the two runs does not have", () => {
    expect(compareWith(of(20, 20), of(20))).toHaveLength(1);
  });
});

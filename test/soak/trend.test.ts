import { describe, expect, it } from "vitest";
import { trendOf } from "./trend.ts";

const series = (value: (at: number) => number) => Array.from({ length: 60 }, (_, at) => ({ at, value: value(at) }));
/** The same noise every time. */
const noise = (at: number): number => ((at * 7919) % 101) / 10 - 5;

describe("a trend", () => {
  it("is none of what goes up and down", () => {
    expect(trendOf(series((at) => 100 + noise(at))).atLeast).toBeLessThanOrEqual(0);
  });

  it("is found under the same noise", () => {
    const { slope, atLeast } = trendOf(series((at) => 100 + noise(at) + at / 2));
    expect(slope).toBeGreaterThan(0.4);
    expect(slope).toBeLessThan(0.6);
    expect(atLeast).toBeGreaterThan(0.3);
  });

  it("does not follow a single outlier, which a mean would", () => {
    expect(trendOf(series((at) => (at === 59 ? 1e6 : 100 + noise(at)))).atLeast).toBeLessThanOrEqual(0);
  });

  it("is zero of what stays as it is, and of nothing", () => {
    expect(trendOf(series(() => 7))).toEqual({ median: 7, slope: 0, atLeast: 0 });
    expect(trendOf([])).toEqual({ median: 0, slope: 0, atLeast: 0 });
  });
});

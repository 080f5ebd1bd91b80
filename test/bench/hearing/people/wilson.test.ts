import { describe, expect, it } from "vitest";
import { formatShare, wilson } from "./wilson.ts";

describe("the interval of a share", () => {
  it("is that of the textbook", () => {
    const [least, most] = wilson(73, 124);
    expect(least).toBeCloseTo(0.501, 3);
    expect(most).toBeCloseTo(0.671, 3);
  });

  it("never leaves 0 to 1, and says nothing where nothing was tried", () => {
    expect(wilson(0, 31)[0]).toBeCloseTo(0);
    expect(wilson(31, 31)[1]).toBeCloseTo(1);
    expect(wilson(0, 0)).toEqual([0, 1]);
  });

  it("is written beside the share and its counts", () => {
    expect(formatShare(73, 124)).toBe("58.9 % 73/124 [50-67]");
  });
});

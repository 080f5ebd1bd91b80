import { describe, expect, it } from "vitest";
import { kaiserWindow, sinc } from "./windowed-sinc.ts";

describe("the windowed sinc", () => {
  it("is 1 in the middle and 0 at every other whole number", () => {
    expect(sinc(0)).toBe(1);
    for (const x of [1, 2, -3]) expect(sinc(x)).toBeCloseTo(0, 12);
    expect(sinc(0.5)).toBeCloseTo(2 / Math.PI, 12);
  });

  it("falls to 1 / I0(beta) towards the window's ends and to nothing there", () => {
    expect(kaiserWindow(0, 6)).toBe(1);
    expect(kaiserWindow(1 - 1e-12, 6)).toBeCloseTo(1 / 67.234_406_976, 9); // I0(6), from a table
    expect(kaiserWindow(-0.5, 6)).toBe(kaiserWindow(0.5, 6));
    expect(kaiserWindow(1, 6)).toBe(0);
  });
});

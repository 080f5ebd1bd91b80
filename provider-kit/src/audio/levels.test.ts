import { describe, expect, it } from "vitest";
import { rmsLevel } from "./levels.ts";

describe("level", () => {
  it("is 0 for silence and for nothing", () => {
    expect(rmsLevel(new Int16Array(320))).toBe(0);
    expect(rmsLevel(new Int16Array(0))).toBe(0);
  });

  it("is 1 for a full-scale square wave", () => {
    expect(rmsLevel(Int16Array.of(-32_768, -32_768))).toBe(1);
  });

  it("is the amplitude over the root of two for a sine", () => {
    const sine = Int16Array.from(
      { length: 16_000 },
      (_, index) => 16_384 * Math.sin((2 * Math.PI * 440 * index) / 16_000),
    );
    expect(rmsLevel(sine)).toBeCloseTo(0.5 / Math.SQRT2, 3);
  });
});

import { describe, expect, it } from "vitest";
import { withNoiseFloor } from "./noise-floor.ts";

const meanSquare = (samples: Int16Array): number =>
  samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;

describe("noise floor", () => {
  it.each([500, 8000])("is 25 dB softer than speech of amplitude %s", (amplitude) => {
    const speech = Int16Array.from({ length: 16_000 }, (_, at) => Math.round(amplitude * Math.sin(at / 7)));
    const heard = withNoiseFloor(speech);
    const noise = heard.map((sample, at) => sample - (speech[at] ?? 0));
    expect(10 * Math.log10(meanSquare(speech) / meanSquare(noise))).toBeCloseTo(25, 0);
  });

  it("does not overflow, and leaves silence silent", () => {
    const loud = withNoiseFloor(new Int16Array(1000).fill(32_767));
    expect(Math.min(...loud)).toBeGreaterThan(20_000);
    expect(withNoiseFloor(new Int16Array(100))).toEqual(new Int16Array(100));
    expect(withNoiseFloor(new Int16Array())).toHaveLength(0);
  });
});

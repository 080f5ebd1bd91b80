import { describe, expect, it } from "vitest";
import { atPace } from "./pace.ts";

const tone = (hz: number, samples = 1600): Int16Array =>
  Int16Array.from({ length: samples }, (_, at) => Math.round(8000 * Math.sin((2 * Math.PI * hz * at) / 16_000)));

describe("speech at another pace", () => {
  it.each([0.94, 1.1])("at %s lasts as much longer or shorter, and sounds as much lower or higher", (pace) => {
    const played = atPace(tone(1000), pace);
    expect(played).toHaveLength(Math.floor(1600 / pace));
    const expected = tone(1000 * pace, played.length);
    const middle = [...played.keys()].slice(50, -50);
    for (const at of middle) expect(Math.abs((played[at] ?? 0) - (expected[at] ?? 0))).toBeLessThan(250);
  });

  it("is the same at its own", () => {
    expect(atPace(tone(300), 1)).toEqual(tone(300));
  });
});

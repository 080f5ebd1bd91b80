import { describe, expect, it } from "vitest";
import { createNoiseGate } from "./noise-gate.ts";

const frameOf = (level: number): Int16Array => Int16Array.from({ length: 320 }, (_, at) => level * Math.sin(at / 3));
const loudest = (frame: Int16Array): number => Math.max(...frame);

function pass(levels: readonly number[]): readonly number[] {
  const gate = createNoiseGate();
  return levels.map((level) => loudest(gate.apply(frameOf(level))));
}
const times = (count: number, level: number): number[] => Array.from({ length: count }, () => level);

describe("the gate before the decoder", () => {
  it("leaves speech on a quiet line as it is, soft consonants included", () => {
    const levels = [...times(20, 0), 8000, 900, 8000, ...times(20, 0)];
    expect(pass(levels).slice(20, 23)).toEqual([8000, 900, 8000].map((level) => loudest(frameOf(level))));
  });

  it("makes the background quieter before and after speech, and not the speech", () => {
    const passed = pass([...times(50, 400), ...times(20, 8000), ...times(30, 400)]);
    expect(passed[40]).toBeLessThan(60);
    expect(passed[60]).toBeGreaterThan(7000);
    expect(passed.at(-1)).toBeLessThan(60);
  });

  it("makes the background as quiet where frames of it are lost", () => {
    const passed = pass([...times(50, 400), 0, ...times(49, 400), ...times(20, 8000), 0, ...times(30, 400)]);
    expect(passed[90]).toBeLessThan(60);
    expect(passed.at(-1)).toBeLessThan(60);
  });

  it("stays open for the end of a word", () => {
    const passed = pass([...times(50, 400), ...times(20, 8000), 500]);
    expect(passed.at(-1)).toBeGreaterThan(350);
  });

  it("does not close upon speech that is hardly louder than the background", () => {
    const passed = pass([...times(50, 3000), ...times(10, 8000)]);
    expect(passed.at(-1)).toBeGreaterThan(7000);
  });
});

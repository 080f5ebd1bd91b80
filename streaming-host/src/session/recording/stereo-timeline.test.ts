import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { StereoTimeline } from "./stereo-timeline.ts";
import type { RecordedSide } from "./stereo-timeline.ts";

const count = (from: number, length: number): Int16Array => Int16Array.from({ length }, (_none, index) => from + index);

describe("the time line of a recording", () => {
  it("[REC-2a] [REC-2e] puts both sides where they belong, and silence where nobody wrote", () => {
    const timeline = new StereoTimeline(2, 10);
    timeline.write("agent", 3, count(30, 2));
    timeline.write("caller", 1, count(10, 3));
    expect([...timeline.take(6)]).toEqual([0, 0, 10, 0, 11, 0, 12, 30, 0, 31, 0, 0]);
    expect(timeline.base).toBe(6);
  });

  it("clears what was not heard, on one side only", () => {
    const timeline = new StereoTimeline(2, 10);
    timeline.write("agent", 0, count(1, 8));
    timeline.write("caller", 0, count(11, 8));
    timeline.clear("agent", 5);
    expect([...timeline.take(8)].filter((_sample, index) => index % 2 === 1)).toEqual([1, 2, 3, 4, 5, 0, 0, 0]);
  });

  it("moves one side, as far as it was not taken yet, and leaves silence in its place", () => {
    const timeline = new StereoTimeline(2, 10);
    timeline.take(4);
    timeline.write("agent", 4, count(1, 8));
    timeline.write("caller", 4, count(11, 6));
    timeline.move("caller", 2, 10, 3);
    const taken = [...timeline.take(14)];
    expect(taken.filter((_sample, index) => index % 2 === 0)).toEqual([0, 0, 0, 11, 12, 13, 14, 15, 16, 0]);
    expect(taken.filter((_sample, index) => index % 2 === 1)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 0, 0]);
  });

  it("moves one side to where it belongs earlier, but for what was taken, and leaves silence behind it", () => {
    const timeline = new StereoTimeline(1, 10);
    timeline.take(4);
    timeline.write("caller", 8, count(1, 5));
    timeline.move("caller", 8, 12, -3);
    timeline.move("caller", 5, 7, -2);
    expect([...timeline.take(14)]).toEqual([2, 0, 0, 3, 4, 0, 0, 0, 5, 0]);
  });

  it("leaves out what comes too late or too early, and says how much", () => {
    const timeline = new StereoTimeline(1, 4);
    timeline.take(10);
    expect(timeline.write("caller", 8, count(1, 4))).toBe(2);
    expect(timeline.write("caller", 13, count(1, 4))).toBe(3);
    expect([...timeline.take(14)]).toEqual([3, 4, 0, 1]);
  });

  it("is as long as it is asked to be, also after a pause longer than its memory", () => {
    const timeline = new StereoTimeline(1, 4);
    timeline.write("caller", 2, count(1, 2));
    expect([...timeline.take(9)]).toEqual([0, 0, 1, 2, 0, 0, 0, 0, 0]);
    timeline.write("caller", 9, count(5, 4));
    expect([...timeline.take(13)]).toEqual([5, 6, 7, 8]);
  });

  it("[REC-2e] is what an endless array would be, in whatever pieces it is written and taken", () => {
    const side = fc.constantFrom<RecordedSide>("caller", "agent");
    const step = fc.record({ side, ahead: fc.nat(20), length: fc.nat(20), taken: fc.nat(15) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const timeline = new StereoTimeline(2, 50);
        const endless = new Int16Array(4000);
        const taken: number[] = [];
        let value = 1;
        for (const { side: of, ahead, length, taken: frames } of steps) {
          const position = timeline.base + ahead;
          const samples = count(value, length);
          value += length;
          timeline.write(of, position, samples);
          for (const [index, sample] of samples.entries())
            endless[(position + index) * 2 + (of === "agent" ? 1 : 0)] = sample;
          taken.push(...timeline.take(timeline.base + frames));
        }
        expect(taken).toEqual([...endless.subarray(0, taken.length)]);
      }),
    );
  });
});

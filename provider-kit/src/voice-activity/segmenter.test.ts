import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSegmenter, maxPrerollFrames } from "./segmenter.ts";
import type { SegmentStep } from "./segmenter.ts";

/** `.` is a silent frame, `#` one of speech. */
function run(frames: string, silenceMs = 100): SegmentStep[] {
  const segmenter = createSegmenter({ frameMs: 20, silenceMs });
  return Array.from(frames, (frame) => segmenter.next(frame === "#"));
}

const repeat = (frame: string, count: number): string => frame.repeat(count);
const stepsOf = (steps: readonly SegmentStep[], type: SegmentStep["type"]): SegmentStep[] =>
  steps.filter((step) => step.type === type);

describe("segmenter", () => {
  it("ends a segment after the silence, at the moment speech ended", () => {
    const steps = run(`${repeat(".", 20)}${repeat("#", 10)}${repeat(".", 10)}`);
    expect(stepsOf(steps, "begin")).toEqual([{ type: "begin", startMs: 400, prerollFrames: 14 }]);
    expect(stepsOf(steps, "end")).toEqual([{ type: "end", startMs: 400, endMs: 600 }]);
    expect(steps[34]?.type).toBe("end");
  });

  it("does not take a click for speech", () => {
    expect(stepsOf(run(`${repeat(".", 10)}###${repeat(".", 10)}`), "begin")).toEqual([]);
    expect(stepsOf(run(repeat("#.....", 20)), "begin")).toEqual([]);
  });

  it("accepts speech with gaps in it", () => {
    const steps = run(`${repeat(".", 10)}##.#.##.##${repeat(".", 10)}`);
    expect(stepsOf(steps, "begin")).toMatchObject([{ startMs: 200 }]);
    expect(stepsOf(steps, "end")).toMatchObject([{ startMs: 200, endMs: 400 }]);
  });

  it("bridges pauses shorter than the silence", () => {
    const steps = run(`${repeat("#", 10)}${repeat(".", 4)}${repeat("#", 10)}${repeat(".", 5)}`);
    expect(stepsOf(steps, "end")).toEqual([{ type: "end", startMs: 0, endMs: 480 }]);
  });

  it("has no pre-roll before the first frame, nor from the speech of the segment before", () => {
    expect(stepsOf(run(repeat("#", 5)), "begin")).toMatchObject([{ prerollFrames: 4 }]);
    const steps = run(`${repeat("#", 10)}${repeat(".", 5)}${repeat("#", 10)}`);
    expect(stepsOf(steps, "begin")[1]).toMatchObject({ startMs: 300, prerollFrames: 4 + 5 });
    const endless = run(repeat("#", 1_010));
    expect(stepsOf(endless, "begin")[1]).toMatchObject({ prerollFrames: 4 });
  });

  it("gives a sentence all of its pre-roll although the noise of a line that was just opened ended shortly before", () => {
    const steps = run(`${repeat("#", 4)}${repeat(".", 26)}${repeat("#", 10)}`, 500);
    expect(stepsOf(steps, "end")).toMatchObject([{ endMs: 80 }]);
    expect(stepsOf(steps, "begin")[1]).toMatchObject({ startMs: 600, prerollFrames: 14 });
  });

  it("ends what goes on for too long, and goes on with the rest", () => {
    const steps = run(repeat("#", 1_500));
    expect(stepsOf(steps, "end")).toHaveLength(1);
    expect(stepsOf(steps, "begin")).toHaveLength(2);
  });

  it("says when the speaker pauses, and when they go on", () => {
    const steps = run(`${repeat("#", 10)}${repeat(".", 12)}${repeat("#", 10)}${repeat(".", 12)}`, 1000);
    const changes = steps.flatMap((step, frame) =>
      ["pause", "resume"].includes(step.type) ? [[step.type, frame]] : [],
    );
    expect(changes).toEqual([
      ["pause", 16],
      ["resume", 25],
      ["pause", 38],
    ]);
  });

  it("takes a click in a pause neither for speech nor for a reason to wait longer", () => {
    const steps = run(`${repeat("#", 10)}${repeat(".", 20)}#${repeat(".", 30)}`, 1000);
    expect(stepsOf(steps, "resume")).toEqual([]);
    expect(stepsOf(steps, "end")).toMatchObject([{ endMs: 200 }]);
    expect(steps[59]?.type).toBe("end");
  });

  it("flushes a running segment and nothing else", () => {
    const segmenter = createSegmenter({ frameMs: 20, silenceMs: 500 });
    expect(segmenter.flush()).toBeUndefined();
    for (let frame = 0; frame < 10; frame++) segmenter.next(true);
    expect(segmenter.flush()).toEqual({ type: "end", startMs: 0, endMs: 200 });
    expect(segmenter.flush()).toBeUndefined();
  });

  it("never overlaps segments, and never asks for frames that were not kept", () => {
    fc.assert(
      fc.property(
        fc.array(fc.boolean(), { maxLength: 600 }),
        fc.integer({ min: 40, max: 800 }),
        (frames, silenceMs) => {
          const segmenter = createSegmenter({ frameMs: 20, silenceMs });
          let previousEndMs = 0;
          let open = false;
          for (const [index, isSpeech] of frames.entries()) {
            const step = segmenter.next(isSpeech);
            expect(step.type === "begin" || step.type === "idle").toBe(!open);
            open = step.type === "begin" || step.type === "continue";
            const begun = step.type === "begin" ? step : undefined;
            expect(begun?.prerollFrames ?? 0).toBeLessThanOrEqual(Math.min(maxPrerollFrames, index + 1));
            expect(begun?.startMs ?? previousEndMs).toBeGreaterThanOrEqual(previousEndMs);
            if (step.type === "end") previousEndMs = step.endMs;
          }
        },
      ),
    );
  });
});

import { describe, expect, it } from "vitest";
import { HeardSpans } from "./heard-spans.ts";

function spans(...pairs: readonly (readonly [number, number])[]): HeardSpans {
  const heard = new HeardSpans();
  for (const [fromMs, untilMs] of pairs) heard.add(fromMs, untilMs);
  return heard;
}

describe("what somebody has heard", () => {
  it("is as long as the stretches, however many frames they came in", () => {
    expect(spans([0, 20], [20, 40], [100, 120]).audibleMs).toBe(60);
  });

  it("has the longest silence between two stretches, and none before the first or after the last", () => {
    const heard = spans([1000, 1020], [1050, 1100], [1500, 1600]);
    expect(heard.longestGapMs()).toBe(400);
    expect(heard.firstMs).toBe(1000);
    expect(spans([1000, 1020]).longestGapMs()).toBe(0);
  });

  it("leaves out silences that were over at a moment", () => {
    expect(spans([0, 20], [500, 600], [620, 640]).longestGapMs(550)).toBe(20);
    expect(spans([0, 20], [500, 600], [620, 640]).longestGapMs(300)).toBe(480);
  });

  it("ends where the agent was silenced, though more had been sent ahead", () => {
    const heard = spans([0, 100], [150, 400], [450, 500]);
    heard.cutAt(200);
    expect(heard.audibleMs).toBe(150);
  });
});

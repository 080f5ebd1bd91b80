import { describe, expect, it } from "vitest";
import { createFrameLateness, latestOfItselfMs, latestMs } from "./frame-lateness.ts";

const frameMs = 20;

describe("the lateness of frames", () => {
  it("is against the pace of those before, which may begin ahead of it", () => {
    const lateness = createFrameLateness();
    for (const atMs of [0, 1, 2, 20, 40]) lateness.arrived(atMs, frameMs);
    expect(lateness.take()).toEqual([]);
    for (const atMs of [100, 120, 190, 191]) lateness.arrived(atMs, frameMs);
    expect(lateness.take()).toEqual([
      { atMs: 190, lateMs: 50 },
      { atMs: 191, lateMs: 31 },
    ]);
  });

  it("is not counted over the gap between two answers, nor twice", () => {
    const lateness = createFrameLateness();
    lateness.arrived(0, frameMs);
    lateness.ended();
    lateness.arrived(5000, frameMs);
    lateness.arrived(5030, frameMs);
    expect(latestMs(lateness.take())).toBe(10);
    expect(latestMs(lateness.take())).toBe(0);
  });
});

describe("what of it is the service's", () => {
  const late = (atMs: number, lateMs: number) => ({ atMs, lateMs });

  it("is what an idle server's frames were not late at the same moment", () => {
    const idle = [late(1010, 50), late(9000, 80)];
    expect(latestOfItselfMs([late(1000, 60), late(5000, 45)], { idle, stalls: [] })).toBe(45);
    expect(latestOfItselfMs([late(1000, 60)], { idle: [], stalls: [] })).toBe(60);
    expect(latestOfItselfMs([], { idle, stalls: [] })).toBe(0);
    expect(latestOfItselfMs([late(1000, 10)], { idle, stalls: [] })).toBe(0);
  });

  it("is not what it waited for a processor", () => {
    const stalls = [
      { atMs: 980, queuedMs: 30 },
      { atMs: 995, queuedMs: 15 },
      { atMs: 3000, queuedMs: 90 },
    ];
    expect(latestOfItselfMs([late(1000, 60)], { idle: [], stalls })).toBe(15);
    expect(latestOfItselfMs([late(1000, 60)], { idle: [late(1000, 50)], stalls })).toBe(10);
  });
});

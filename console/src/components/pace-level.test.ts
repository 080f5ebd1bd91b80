import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { describe, expect, it } from "vitest";

import { Store } from "@voice/client-kit/store";
import { paceLevel } from "./pace-level.ts";

function rig() {
  const level = new Store(0);
  const clock = new VirtualClock();
  const painted: number[] = [];
  const stop = paceLevel(level, clock, (fraction) => painted.push(fraction));
  return { level, clock, painted, stop };
}

describe("a level meter", () => {
  it("paints the highest level ten times a second, however often the level changes", () => {
    const { level, clock, painted } = rig();
    for (let frame = 0; frame < 50; frame += 1) {
      level.set(frame % 2 === 0 ? 0.01 * (1 + frame) : 0.001);
      clock.advance(20);
    }
    expect(painted.length).toBeLessThanOrEqual(11);
    expect(Math.max(...painted)).toBe(0.9);
  });

  it("falls back when it becomes silent, and rests then", () => {
    const { level, clock, painted } = rig();
    level.set(1);
    level.set(0);
    clock.advance(1000);
    expect(painted).toEqual([0, 1, 0]);
    expect(clock.pendingTimers).toBe(0);
  });

  it("does not paint what looks the same", () => {
    const { level, clock, painted } = rig();
    for (const quiet of [0.01, 0.0101, 0.0099, 0.01]) {
      level.set(quiet);
      clock.advance(100);
    }
    expect(painted).toEqual([0, 0.35]);
  });

  it("paints no more once it has left the page", () => {
    const { level, clock, painted, stop } = rig();
    level.set(1);
    stop();
    level.set(0.5);
    clock.advance(1000);
    expect(painted).toEqual([0]);
  });
});

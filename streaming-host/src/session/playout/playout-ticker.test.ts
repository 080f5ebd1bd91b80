import type { Clock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { describe, expect, it } from "vitest";
import { createPlayoutTicker, tickMs } from "./playout-ticker.ts";

/** Its timers fire when the test says so, early or late, as those of Node do. */
function rig(memberCount: number) {
  let nowMs = 0;
  let due: { readonly delayMs: number; readonly run: () => void } | undefined;
  const clock: Clock = {
    now: () => nowMs,
    wallNow: () => nowMs,
    setTimer(delayMs, run) {
      due = { delayMs, run };
      return () => {
        due = undefined;
      };
    },
  };
  const ticker = createPlayoutTicker(clock, silentLogger);
  const servedAtMs = Array.from({ length: memberCount }, () => Array<number>());
  for (const times of servedAtMs) ticker.add({ isActive: true, pump: () => times.push(nowMs) });
  ticker.wake();
  return {
    servedAtMs,
    tick(lateMs: number) {
      if (due === undefined) throw new Error("no timer is set");
      const { delayMs, run } = due;
      nowMs += delayMs + lateMs;
      run();
    },
  };
}

const longestWaitMs = (servedAtMs: readonly (readonly number[])[]): number =>
  Math.max(...servedAtMs.flatMap((times) => times.map((atMs, index) => atMs - (times[index - 1] ?? 0))));

describe("the ticker of all playouts", () => {
  it("[PLAY-1] serves every session at each tick, also at one that comes early", () => {
    const { servedAtMs, tick } = rig(40);
    for (let count = 0; count < 50; count++) tick(count % 2 === 0 ? -0.8 : 0.9);
    expect(longestWaitMs(servedAtMs)).toBeLessThan(tickMs + 1);
  });

  it("[PLAY-1] serves many sessions in parts, each within the time of one tick and its delays", () => {
    const { servedAtMs, tick } = rig(220);
    for (let count = 0; count < 200; count++) tick(count % 2 === 0 ? -0.8 : 0.9);
    expect(longestWaitMs(servedAtMs)).toBeLessThan(tickMs + 2);
  });

  it("serves all at once after a long delay", () => {
    const { servedAtMs, tick } = rig(220);
    tick(100);
    expect(servedAtMs.every((times) => times.length === 1)).toBe(true);
  });
});

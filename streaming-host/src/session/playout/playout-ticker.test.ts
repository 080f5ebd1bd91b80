import type { Clock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { describe, expect, it } from "vitest";
import { PlayoutTicker, tickMs } from "./playout-ticker.ts";

/** Its timers fire when the test says so, early or late, as those of Node do. */
function rig(memberCount: number, isActive = () => true) {
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
  const ticker = new PlayoutTicker(clock, silentLogger);
  const servedAtMs = Array.from({ length: memberCount }, () => Array<number>());
  const removals = servedAtMs.map((times) =>
    ticker.add({
      get isActive() {
        return isActive();
      },
      pump: () => times.push(nowMs),
    }),
  );
  ticker.wake();
  return {
    ticker,
    removals,
    servedAtMs,
    isTicking: () => due !== undefined,
    tick(lateMs: number) {
      if (due === undefined) throw new Error("no timer is set");
      const { delayMs, run } = due;
      due = undefined;
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

  it("serves no more than a fifth of very many sessions at a time, because what callers say waits meanwhile", () => {
    const { servedAtMs, tick } = rig(250);
    tick(0);
    expect(servedAtMs.filter((times) => times.length > 0)).toHaveLength(50);
  });

  it("serves a session no more once it is removed, whichever it was, and misses none of the others", () => {
    const { servedAtMs, removals, tick } = rig(3);
    tick(0);
    removals[0]?.();
    removals[0]?.();
    tick(0);
    removals[2]?.();
    tick(0);
    expect(servedAtMs.map((times) => times.length)).toEqual([1, 3, 2]);
  });

  it("sets no timer while nobody plays, and one when somebody begins", () => {
    let isActive = true;
    const { ticker, servedAtMs, tick, isTicking } = rig(2, () => isActive);
    tick(0);
    expect(isTicking()).toBe(true);
    isActive = false;
    tick(0);
    expect(isTicking()).toBe(false);
    isActive = true;
    ticker.wake();
    tick(0);
    expect(servedAtMs.map((times) => times.length)).toEqual([2, 2]);
  });

  it("goes on for whoever plays, though another was just heard to the end, or has long been silent", () => {
    const { ticker, servedAtMs, tick } = rig(1);
    let isOver = false;
    ticker.add({
      get isActive() {
        return !isOver;
      },
      pump: () => {
        isOver = true;
      },
    });
    for (let count = 0; count < 5; count++) tick(0);
    expect(isOver).toBe(true);
    expect(servedAtMs[0]).toHaveLength(5);
  });
});

import { expect, it } from "vitest";
import { pause } from "./pause.ts";
import { VirtualClock } from "./virtual-clock.ts";

/** Whether the pause is over, once everything that is due has run. */
function rig(delayMs: number | undefined, signal?: AbortSignal) {
  const clock = new VirtualClock();
  let isOver = false;
  const wait = async (): Promise<void> => {
    await pause(clock, delayMs, signal);
    isOver = true;
  };
  void wait();
  return async (ms: number) => {
    await clock.advanceAsync(ms, ms);
    return isOver;
  };
}

it("is over when its time is, and not before", async () => {
  const isOverAfter = rig(100);
  expect(await isOverAfter(99)).toBe(false);
  expect(await isOverAfter(1)).toBe(true);
});

it("is over at once when it is cancelled, or has no length", async () => {
  const stop = new AbortController();
  const isOverAfter = rig(100, stop.signal);
  expect(await isOverAfter(1)).toBe(false);
  stop.abort();
  expect(await isOverAfter(1)).toBe(true);
  expect(await rig(undefined)(1)).toBe(true);
  expect(await rig(0)(1)).toBe(true);
});

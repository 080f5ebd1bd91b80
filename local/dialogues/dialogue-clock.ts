/** When dialogues take place, so that "yesterday" and "Monday" have the same answer every time. */
import { systemClock } from "@voice/shared/platform/clock";
import type { Clock } from "@voice/shared/platform/clock";

/** A Saturday afternoon, three days after the demo customer's last purchase. */
export const dialogueStartMs = Date.UTC(2026, 2, 21, 15);

/** Runs as fast as time does, on that day. */
export function createDialogueClock(): Clock {
  const startedMs = systemClock.now();
  return {
    now: () => systemClock.now(),
    wallNow: () => dialogueStartMs + systemClock.now() - startedMs,
    setTimer: (delayMs, callback) => systemClock.setTimer(delayMs, callback),
  };
}

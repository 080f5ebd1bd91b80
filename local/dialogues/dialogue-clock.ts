/** When dialogues take place, so that "yesterday" and "Monday" have the same answer every time. */
import { systemClock } from "@voice/shared/platform/clock";
import type { Clock } from "@voice/shared/platform/clock";

/** A Saturday afternoon, three days after the demo customer's last purchase. */
export const dialogueStartMs = Date.UTC(2026, 2, 21, 15);

/** Advances at the rate of the given clock, but starts on that day. */
export function createDialogueClock(time: Clock = systemClock): Clock {
  const startedMs = time.now();
  return {
    now: () => time.now(),
    wallNow: () => dialogueStartMs + time.now() - startedMs,
    setTimer: (delayMs, callback) => time.setTimer(delayMs, callback),
    ...(time.hold === undefined ? {} : { hold: time.hold }),
  };
}

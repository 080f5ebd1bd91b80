/**
 * The clock of conversations that run within one process. Nothing in them is as slow as people are, so they
 * pass several times as fast as on a telephone. `TEST_PACE=1` holds them in real time, which is what one conversation of each
 * channel does always.
 */
import { pause } from "@voice/shared/platform/pause";
import { createScaledClock } from "@voice/shared/platform/scaled-clock";

const pace = Number(process.env["TEST_PACE"] ?? 8);

export const testClock = createScaledClock(pace);

/** Everything that is due on this clock within this time has happened when it resolves, however slow the machine is. */
export function passTime(ms: number): Promise<void> {
  return pause(testClock, ms);
}

/**
 * A wall clock on which all processes agree, whatever their machines' clocks show: times written by one process are compared by others. It
 * is corrected by the time of the shared store, and between corrections it follows the monotonic clock, so a jump of the machine's clock
 * changes nothing either.
 */
import type { Clock } from "./clock.ts";

/** The shared time, read at some moment between two moments of the monotonic clock. */
export interface TimeReading {
  readonly sharedMs: number;
  readonly requestedAtMs: number;
  readonly answeredAtMs: number;
}

export interface AgreedClock extends Clock {
  /** How far the machine's own clock is ahead of the shared time, as far as this is known. */
  readonly machineAheadMs: number;
  correct(reading: TimeReading): void;
}

/** Until it is corrected for the first time it is the machine's clock. */
export function createAgreedClock(machine: Clock): AgreedClock {
  /** The shared time at zero of the monotonic clock. */
  let zeroMs: number | undefined;
  const wallNow = (): number => (zeroMs === undefined ? machine.wallNow() : Math.round(zeroMs + machine.now()));
  return {
    ...(machine.hold === undefined ? {} : { hold: machine.hold }),
    now: () => machine.now(),
    wallNow,
    setTimer: (delayMs, callback) => machine.setTimer(delayMs, callback),
    get machineAheadMs() {
      return machine.wallNow() - wallNow();
    },
    correct({ sharedMs, requestedAtMs, answeredAtMs }) {
      // A reading cannot be more exact than the time that its response took, so a clock that agrees with it is not changed.
      const earliestMs = sharedMs - answeredAtMs;
      const latestMs = sharedMs + 1 - requestedAtMs;
      const assumedMs = zeroMs ?? machine.wallNow() - machine.now();
      zeroMs = Math.min(Math.max(assumedMs, earliestMs), latestMs);
    },
  };
}

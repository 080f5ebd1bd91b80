/**
 * A clock that runs faster than the system's, so that a conversation of a minute is tested in a quarter of one. It ships
 * beside the port so that every package's tests share it.
 *
 * Time waits for timers: it does not pass the moment at which one is due until that timer has run. A machine that is busy
 * therefore makes such a clock slower, not its timers late, and what depends on the order of timers does not change. It waits
 * for the work of other threads as well, as long as they hold it.
 */
import type { Clock } from "./clock.ts";
import { systemClock } from "./clock.ts";

interface PendingTimer {
  readonly dueMs: number;
  readonly callback: () => void;
}

/** How far time may be past a timer that has not run yet, in real milliseconds: the granularity of the system's timers. */
const latenessMs = 1;

export function createScaledClock(factor: number, base: Clock = systemClock): Clock {
  const startedWallMs = base.wallNow();
  /** By the time at which they are due; of two that are due together, the one that was set first. */
  const timers: PendingTimer[] = [];
  let nowMs = 0;
  let baseMs = base.now();
  let cancelWakeUp: (() => void) | undefined;
  let holds = 0;

  function now(): number {
    const elapsedMs = base.now() - baseMs;
    baseMs += elapsedMs;
    if (holds > 0) return nowMs;
    const latestMs = (timers[0]?.dueMs ?? Infinity) + latenessMs * factor;
    nowMs = Math.max(nowMs, Math.min(nowMs + elapsedMs * factor, latestMs));
    return nowMs;
  }

  function wakeUpForNext(): void {
    cancelWakeUp?.();
    cancelWakeUp = undefined;
    const [next] = timers;
    if (next === undefined) return;
    const waitMs = (next.dueMs - now()) / factor;
    if (waitMs > 0) {
      if (holds > 0) return;
      cancelWakeUp = base.setTimer(waitMs, runNext);
      return;
    }
    // A turn of the event loop for each timer, as the system's have: promises settle and sockets are read in between.
    const immediate = setImmediate(runNext);
    cancelWakeUp = () => clearImmediate(immediate);
  }

  function runNext(): void {
    cancelWakeUp = undefined;
    const [next] = timers;
    if (next === undefined || next.dueMs > now()) {
      wakeUpForNext();
      return;
    }
    timers.shift();
    try {
      next.callback();
    } finally {
      if (cancelWakeUp === undefined) wakeUpForNext();
    }
  }

  function hold(): () => void {
    now();
    holds += 1;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      now();
      holds -= 1;
      if (holds === 0 && cancelWakeUp === undefined) wakeUpForNext();
    };
  }

  return {
    now,
    hold,
    wallNow: () => startedWallMs + now(),
    setTimer(delayMs, callback) {
      const timer: PendingTimer = { dueMs: now() + Math.max(0, delayMs), callback };
      const later = timers.findIndex(({ dueMs }) => dueMs > timer.dueMs);
      timers.splice(later === -1 ? timers.length : later, 0, timer);
      if (timers[0] === timer) wakeUpForNext();
      return () => {
        const index = timers.indexOf(timer);
        if (index !== -1) timers.splice(index, 1);
        if (index === 0) wakeUpForNext();
      };
    },
  };
}

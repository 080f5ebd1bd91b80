/**
 * A clock that runs faster than the system's, so that a conversation of a minute is tested in a quarter of one. It ships
 * beside the port so that every package's tests share it.
 *
 * Time waits for timers: it does not advance past a timer's due time until that timer has run. On a busy machine the
 * clock therefore slows down instead of its timers being late, and their order does not change. It also waits while
 * other threads hold it, and can be slowed down to the system's pace while something outside of the process answers.
 */
import type { Clock } from "./clock.ts";
import { systemClock } from "./clock.ts";

interface PendingTimer {
  readonly dueMs: number;
  readonly callback: () => void;
}

/**
 * How far time may advance past a timer that has not run yet, in real milliseconds: the resolution of the system's
 * timers.
 */
const latenessMs = 1;

export interface ScaledClock extends Clock {
  readonly hold: () => () => void;
  /** Passes no faster than the clock below it until the returned function is called. */
  slowDown(): () => void;
}

export function createScaledClock(usualFactor: number, base: Clock = systemClock): ScaledClock {
  const startedWallMs = base.wallNow();
  /** Sorted by due time, then by the order in which they were set. */
  const timers: PendingTimer[] = [];
  let nowMs = 0;
  let baseMs = base.now();
  let cancelWakeUp: (() => void) | undefined;
  let holds = 0;
  let factor = usualFactor;

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
    // Each timer gets its own turn of the event loop, as the system's do: promises settle and sockets are read in
    // between.
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

  const hold = countRequests((count) => {
    now();
    holds = count;
    if (holds === 0 && cancelWakeUp === undefined) wakeUpForNext();
  });

  const slowDown = countRequests((count) => {
    now();
    factor = count > 0 ? Math.min(1, usualFactor) : usualFactor;
    wakeUpForNext();
  });

  return {
    now,
    hold,
    slowDown,
    // Whole milliseconds, as the system's clock has them: Redis takes no fraction for a life span.
    wallNow: () => Math.floor(startedWallMs + now()),
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

/**
 * Creates a function by which anybody can request something; calling what it returns ends the request. `onChanged` receives the number of
 * requests.
 */
function countRequests(onChanged: (count: number) => void): () => () => void {
  let count = 0;
  return () => {
    count += 1;
    onChanged(count);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      count -= 1;
      onChanged(count);
    };
  };
}

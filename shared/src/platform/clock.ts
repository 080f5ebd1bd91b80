/** Time as every timed part of the product sees it, so that tests can own it. All values are milliseconds. */

export type CancelTimer = () => void;

export interface Clock {
  /** Monotonic; only differences mean anything. */
  now(): number;
  /** Milliseconds since the Unix epoch; for records that people read. */
  wallNow(): number;
  /** Runs `callback` once after `delayMs`. Cancelling after it ran does nothing. */
  setTimer(delayMs: number, callback: () => void): CancelTimer;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  wallNow: () => Date.now(),
  setTimer(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};

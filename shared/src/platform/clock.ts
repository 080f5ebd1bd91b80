/** Time as every timed part of the product sees it, so that tests can own it. All values are milliseconds. */

export type CancelTimer = () => void;

export interface Clock {
  /** Monotonic; only differences mean anything. */
  now(): number;
  /** Milliseconds since the Unix epoch; for records that people read. */
  wallNow(): number;
  /** Runs `callback` once after `delayMs`. Cancelling after it ran does nothing. */
  setTimer(delayMs: number, callback: () => void): CancelTimer;
  /**
   * Stops time until the returned function is called. Only simulated time can stand still: it does so while another thread
   * works, so that a slow machine makes a simulation longer and not what it simulates.
   */
  readonly hold?: () => () => void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  wallNow: () => Date.now(),
  setTimer(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};

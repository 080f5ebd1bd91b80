/** The clock that all timed code uses, so that tests can control time. All values are milliseconds. */

export type CancelTimer = () => void;

export interface Clock {
  /** Monotonic; only differences are meaningful. */
  now(): number;
  /** Milliseconds since the Unix epoch; for records that people read. */
  wallNow(): number;
  /** Runs `callback` once after `delayMs`. Cancelling after it ran does nothing. */
  setTimer(delayMs: number, callback: () => void): CancelTimer;
  /**
   * Stops time until the returned function is called. Only simulated time can be stopped: it waits while another thread
   * works, so that a slow machine prolongs the simulation and does not change its outcome.
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

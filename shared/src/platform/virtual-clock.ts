/**
 * A clock that advances only when a test tells it to. It is beside the port so that the tests of all packages share it.
 */
import type { CancelTimer, Clock } from "./clock.ts";

interface PendingTimer {
  readonly at: number;
  readonly order: number;
  readonly callback: () => void;
}

export class VirtualClock implements Clock {
  #now = 0;
  #order = 0;
  readonly #timers = new Set<PendingTimer>();
  readonly #epochMs: number;

  constructor(epochMs = Date.UTC(2026, 0, 1)) {
    this.#epochMs = epochMs;
  }

  now(): number {
    return this.#now;
  }

  wallNow(): number {
    return this.#epochMs + this.#now;
  }

  setTimer(delayMs: number, callback: () => void): CancelTimer {
    const timer = { at: this.#now + Math.max(0, delayMs), order: this.#order++, callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Advances time, running due timers in order of due time, then of registration. */
  advance(ms: number): void {
    const target = this.#now + ms;
    for (let next = this.#earliest(target); next !== undefined; next = this.#earliest(target)) {
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.callback();
    }
    this.#now = target;
  }

  /** Like `advance`, but lets promises settle between steps, for code that awaits between timers. */
  async advanceAsync(ms: number, stepMs = 1): Promise<void> {
    for (let elapsed = 0; elapsed < ms; elapsed += stepMs) {
      this.advance(Math.min(stepMs, ms - elapsed));
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
  }

  get pendingTimers(): number {
    return this.#timers.size;
  }

  #earliest(target: number): PendingTimer | undefined {
    let earliest: PendingTimer | undefined;
    for (const timer of this.#timers) {
      if (timer.at > target) continue;
      if (
        earliest === undefined ||
        timer.at < earliest.at ||
        (timer.at === earliest.at && timer.order < earliest.order)
      )
        earliest = timer;
    }
    return earliest;
  }
}

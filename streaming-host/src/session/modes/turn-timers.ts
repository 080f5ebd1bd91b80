/**
 * The turn machine's timers, by name: setting one that runs restarts it. All of them share one timer of the clock, the alarm.
 *
 * Each of a caller's events clears and sets several timers, and nearly all are cleared before they are due. Doing that with a
 * timer of Node's each took 3 to 7 µs in a host with 40 calls. So clearing a timer only forgets when it is due, and the alarm is
 * set anew only for an earlier time. If it rings for a timer that was cleared or moved, it is set for the next one that is due.
 */
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";
import type { TurnTimer } from "../turn/turn-effects.ts";

const never = Infinity;

/** Made once for each timer that is used, and kept, so that setting and clearing it allocates nothing. */
interface Entry {
  readonly timer: TurnTimer;
  /** On the session's clock; `never` if the timer does not run. */
  dueMs: number;
  /** Counts what was set: of two timers with the same due time, the one that was set first fires first. */
  order: number;
}

export class SessionTimers {
  readonly #clock: Clock;
  readonly #onFired: (timer: TurnTimer) => void;
  readonly #entries = new Map<TurnTimer, Entry>();
  #order = 0;
  /** Unchanged while it rings, so that what is set meanwhile, which is due later, sets no alarm until the ring is over. */
  #alarmMs = never;
  #cancelAlarm: CancelTimer | undefined;

  constructor(clock: Clock, onFired: (timer: TurnTimer) => void) {
    this.#clock = clock;
    this.#onFired = onFired;
  }

  set(timer: TurnTimer, delayMs: number): void {
    let entry = this.#entries.get(timer);
    if (entry === undefined) this.#entries.set(timer, (entry = { timer, dueMs: never, order: 0 }));
    entry.dueMs = this.#clock.now() + delayMs;
    entry.order = ++this.#order;
    if (entry.dueMs < this.#alarmMs) this.#setAlarm(entry.dueMs);
  }

  clear(timer: TurnTimer): void {
    const entry = this.#entries.get(timer);
    if (entry !== undefined) entry.dueMs = never;
  }

  clearAll(): void {
    for (const entry of this.#entries.values()) entry.dueMs = never;
    this.#setAlarm(never);
  }

  #setAlarm(dueMs: number): void {
    this.#cancelAlarm?.();
    this.#alarmMs = dueMs;
    this.#cancelAlarm =
      dueMs === never ? undefined : this.#clock.setTimer(Math.max(0, dueMs - this.#clock.now()), this.#ring);
  }

  /** Node's timers ring up to 2 ms early by `performance.now()`. Then nothing is due, and the alarm is set for the rest. */
  readonly #ring = (): void => {
    this.#cancelAlarm = undefined;
    const nowMs = this.#clock.now();
    // What is set from here on waits for the next ring, even if it is due: the event loop turns before that, so timers that
    // keep setting each other for now do not stop everything else.
    const newest = this.#order;
    try {
      for (let next = this.#next(newest); next !== undefined && next.dueMs <= nowMs; next = this.#next(newest)) {
        next.dueMs = never;
        this.#onFired(next.timer);
      }
    } finally {
      this.#setAlarm(this.#next(this.#order)?.dueMs ?? never);
    }
  };

  /** The timer that is due first of those that were set no later than `newest`. */
  #next(newest: number): Entry | undefined {
    let first: Entry | undefined;
    for (const entry of this.#entries.values()) {
      if (entry.dueMs === never || entry.order > newest) continue;
      if (
        first === undefined ||
        entry.dueMs < first.dueMs ||
        (entry.dueMs === first.dueMs && entry.order < first.order)
      )
        first = entry;
    }
    return first;
  }
}

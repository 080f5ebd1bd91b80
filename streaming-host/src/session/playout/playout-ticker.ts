/**
 * A single timer for the playout of all sessions: with a timer each, a few hundred sessions spend more time in timers
 * than on audio. It runs only while some session is playing.
 */
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";

/** Half a frame: a frame is at most this late, and by how late the timer is, far inside the smallest lead. */
export const tickMs = 10;

/**
 * Sending a frame takes 20 µs, and what a caller says meanwhile waits for the frames of all who are served at once. So with more
 * sessions than this, fewer than all are served at a time, more often. With fewer, timers would cost more than that spares.
 */
const servedAtOnce = 50;
/** A timer lasts at least 1 ms, and often 1 ms longer than asked. */
const mostParts = 5;

export interface TickerMember {
  readonly isActive: boolean;
  pump(): void;
}

export interface PlayoutTicker {
  /** Returns a function that removes the member. */
  add(member: TickerMember): () => void;
  /** Starts ticking if it had stopped; call it when a member becomes active. */
  wake(): void;
}

export function createPlayoutTicker(clock: Clock, logger: Logger): PlayoutTicker {
  return new SharedTicker(clock, logger);
}

class SharedTicker implements PlayoutTicker {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #members: TickerMember[] = [];
  #cancel: CancelTimer | undefined;
  /** The member to be served next. */
  #next = 0;
  #servedAtMs = 0;
  /** How many members were found inactive since the last active one. */
  #inactive = 0;

  constructor(clock: Clock, logger: Logger) {
    this.#clock = clock;
    this.#logger = logger;
  }

  add(member: TickerMember): () => void {
    this.#members.push(member);
    return () => this.#remove(member);
  }

  wake(): void {
    this.#inactive = 0;
    if (this.#cancel !== undefined) return;
    this.#servedAtMs = this.#clock.now();
    this.#await();
  }

  #await(): void {
    this.#cancel = this.#clock.setTimer(tickMs / this.#parts, () => this.#tick());
  }

  /**
   * Serves so many that each comes round every 10 ms, however late the timer is. It may also be almost 1 ms early: whoever was
   * left out for that would wait for twice as long.
   */
  #tick(): void {
    this.#cancel = undefined;
    const now = this.#clock.now();
    const share = Math.min(1, Math.max(1 / this.#parts, (now - this.#servedAtMs) / tickMs));
    this.#servedAtMs = now;
    for (let due = Math.ceil(share * this.#members.length); due > 0; due--) this.#serveNext();
    if (this.#inactive < this.#members.length && this.#cancel === undefined) this.#await();
  }

  get #parts(): number {
    return Math.min(mostParts, Math.max(1, Math.ceil(this.#members.length / servedAtOnce)));
  }

  #serveNext(): void {
    if (this.#next >= this.#members.length) this.#next = 0;
    const member = this.#members[this.#next++];
    if (member?.isActive !== true) {
      this.#inactive++;
      return;
    }
    try {
      member.pump();
      this.#inactive = member.isActive ? 0 : this.#inactive + 1;
    } catch (error) {
      // A bug in one session must not stop everybody's clock; its own watchdogs handle the consequences.
      this.#remove(member);
      this.#logger.error({ error }, "a playout broke");
    }
  }

  #remove(member: TickerMember): void {
    const at = this.#members.indexOf(member);
    if (at < 0) return;
    this.#members.splice(at, 1);
    if (at < this.#next) this.#next--;
  }
}

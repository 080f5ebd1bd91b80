/**
 * A single timer for the playout of all sessions: with a timer each, a few hundred sessions spend more time in timers
 * than on audio. It runs only while some session is playing.
 */
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";

/** Half a frame: a frame is late by at most this much plus the timer's own delay, which is far less than the smallest lead. */
export const tickMs = 10;

/**
 * Sending a frame takes 20 µs, and incoming audio has to wait until all frames of one tick are sent. With more sessions than this, each
 * tick therefore serves only a part of them, and ticks are more frequent. With fewer sessions, the additional timers would cost more than
 * they save.
 */
const servedAtOnce = 50;
/** A timer takes at least 1 ms, and often 1 ms longer than requested. */
const mostParts = 5;

export interface TickerMember {
  readonly isActive: boolean;
  pump(): void;
}

export class PlayoutTicker {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #members: TickerMember[] = [];
  #cancel: CancelTimer | undefined;
  /** The index of the member to be served next. */
  #next = 0;
  #servedAtMs = 0;
  /** How many members in a row were inactive. */
  #inactive = 0;

  constructor(clock: Clock, logger: Logger) {
    this.#clock = clock;
    this.#logger = logger;
  }

  /** Returns a function that removes the member. */
  add(member: TickerMember): () => void {
    this.#members.push(member);
    return () => this.#remove(member);
  }

  /** Starts ticking if it had stopped; call it when a member becomes active. */
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
   * Serves enough members that each has its turn every 10 ms, however late the timer is. The timer may also be almost 1 ms early; a member
   * skipped because of that would wait for twice as long.
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
      // A fault in one session must not stop the clock of all; the session's own watchdogs handle the consequences.
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

/**
 * Which channels somebody listens to, as far as this process knows: nine tenths of what a conversation publishes was for nobody. A watcher
 * announces itself on a channel of its own, and the server says of each message how many have received it. Without the announcements (not
 * subscribed yet, or the connection was lost) every channel counts as watched.
 */
import type { Clock } from "../../platform/clock.ts";
import type { ChannelListener } from "./pub-sub.ts";

/** As long as one is known to have no listeners. After that one message finds out, for watchers of versions that announce nothing. */
const unwatchedMs = 30_000;
const retryMs = 5_000;

export interface Announcements {
  /** Rejects if nothing can be received. */
  listen(listener: ChannelListener): Promise<unknown>;
}

export class KnownWatchers {
  readonly #clock: Clock;
  readonly #announcements: Announcements;
  readonly #unwatchedUntilMs = new Map<string, number>();
  /** Grows with each announcement: what was published before one says nothing of the time after it. */
  #announced = 0;
  #isListening = false;
  #nextAttemptMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, announcements: Announcements) {
    this.#clock = clock;
    this.#announcements = announcements;
  }

  isWatched(channel: string): boolean {
    return this.#clock.now() >= (this.#unwatchedUntilMs.get(channel) ?? Number.NEGATIVE_INFINITY);
  }

  /** For a message that is about to be published. Returns what to do with the number of those who have received it. */
  publishing(channel: string): (receivers: number) => void {
    this.#listen();
    const announced = this.#announced;
    // One message finds out whether it is still so, and not all of the same moment.
    if (this.#unwatchedUntilMs.has(channel)) this.#setUnwatched(channel);
    return (receivers) => {
      if (receivers > 0) this.#unwatchedUntilMs.delete(channel);
      else if (announced === this.#announced && this.#isListening) this.#setUnwatched(channel);
    };
  }

  /** Undefined: any channel. */
  announced(channel: string | undefined): void {
    this.#announced += 1;
    if (channel === undefined) this.#unwatchedUntilMs.clear();
    else this.#unwatchedUntilMs.delete(channel);
  }

  #setUnwatched(channel: string): void {
    this.#unwatchedUntilMs.set(channel, this.#clock.now() + unwatchedMs);
  }

  /** Begins with the first message, so that an unused process needs nothing of the store. */
  #listen(): void {
    if (this.#isListening || this.#clock.now() < this.#nextAttemptMs) return;
    this.#nextAttemptMs = this.#clock.now() + retryMs;
    const listener: ChannelListener = {
      onMessage: (channel) => this.announced(channel === everyChannel ? undefined : channel),
      onRenewed: () => this.announced(undefined),
    };
    this.#announcements.listen(listener).then(
      () => (this.#isListening = true),
      () => undefined, // tried again with a later message; until then everything is published
    );
  }
}

/** The announcement of somebody who listens to all of them. */
export const everyChannel = "*";

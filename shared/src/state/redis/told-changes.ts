/**
 * Changes are told on a channel, after they are written: the channel is in one slot, and what was changed is in others. What could not be
 * told, or is changed by a process of a version that tells nothing, is found by whoever looks without being told (decision 077).
 */
import type { Clock } from "../../platform/clock.ts";
import { ChangeCounts } from "../change-counts.ts";
import type { ToldChanges } from "../ports/told-changes.ts";
import type { ChannelListener, PubSub } from "./pub-sub.ts";

const retryMs = 5_000;
/** Stands for every session; no encoded id is empty. */
const everySession = "";

export class RedisToldChanges implements ToldChanges {
  readonly #pubSub: PubSub;
  readonly #channel: string;
  readonly #clock: Clock;
  readonly #counts = new ChangeCounts();
  /** Or has subscribed. */
  #isSubscribing = false;
  #nextAttemptMs = Number.NEGATIVE_INFINITY;

  constructor(pubSub: PubSub, channel: string, clock: Clock) {
    this.#pubSub = pubSub;
    this.#channel = channel;
    this.#clock = clock;
  }

  markOf(sessionId: string): number | undefined {
    if (this.#pubSub.isListening(this.#channel)) return this.#counts.sumOf(sessionId);
    this.#listen();
    return undefined;
  }

  /** Undefined: every session. Resolves once those who listen were sent it; never rejects, because the change is made. */
  async tell(sessionId: string | undefined): Promise<void> {
    this.#counts.add(sessionId);
    const text = sessionId === undefined ? everySession : encodeURIComponent(sessionId);
    await this.#pubSub.publish(this.#channel, text).catch(() => undefined);
  }

  /** Begins with the first conversation: a process without any needs nothing of the store. A subscription that is lost is renewed by itself. */
  #listen(): void {
    if (this.#isSubscribing || this.#clock.now() < this.#nextAttemptMs) return;
    this.#isSubscribing = true;
    const listener: ChannelListener = {
      onMessage: (text) => this.#counts.add(text === everySession ? undefined : decodeURIComponent(text)),
      onRenewed: () => this.#counts.add(undefined),
    };
    this.#pubSub.subscribe(this.#channel, listener).catch(() => {
      this.#isSubscribing = false;
      this.#nextAttemptMs = this.#clock.now() + retryMs;
    });
  }
}

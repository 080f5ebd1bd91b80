/** How regularly the audio of one reply comes. */

/** After such a pause another reply, or the rest of one that was interrupted, begins with a pace of its own. */
const newReplyMs = 300;

/**
 * A frame is as late as it comes after the earliest pace that the reply has kept until then: whatever lead a server gives,
 * the first message that misses it by 20 ms is 20 ms late.
 */
export class FramePace {
  worstMs = 0;
  readonly #messageMs: number;
  #frames = 0;
  #paceMs = Number.POSITIVE_INFINITY;
  #lastMs = Number.NEGATIVE_INFINITY;

  /** `messageMs`: how much audio each message has. */
  constructor(messageMs: number) {
    this.#messageMs = messageMs;
  }

  onFrame(nowMs: number): void {
    if (nowMs - this.#lastMs > newReplyMs + this.#messageMs) this.restart();
    this.#lastMs = nowMs;
    const offsetMs = nowMs - this.#frames++ * this.#messageMs;
    this.#paceMs = Math.min(this.#paceMs, offsetMs);
    this.worstMs = Math.max(this.worstMs, offsetMs - this.#paceMs);
  }

  restart(): void {
    this.#frames = 0;
    this.#paceMs = Number.POSITIVE_INFINITY;
  }
}

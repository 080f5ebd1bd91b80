/**
 * Notices that nothing arrives any more: a network that loses everything closes no socket, and a browser does not show pings to its page.
 * So the page sends its own pings, and a service that has answered once is expected to answer again.
 */
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";

const lookEveryMs = 4000;
/**
 * Looks, and not a time: a browser may run the timers of a page in the background once a minute. An answer has two of
 * them to come.
 */
const longestSilence = 3;

export class SignsOfLife {
  readonly #clock: Pick<Clock, "setTimer">;
  readonly #ask: () => void;
  readonly #onLost: () => void;
  #cancel: CancelTimer | undefined;
  /** Looks since something arrived. */
  #silent = 0;
  /** An older service does not know the question. */
  #answers = false;

  constructor(clock: Pick<Clock, "setTimer">, ask: () => void, onLost: () => void) {
    this.#clock = clock;
    this.#ask = ask;
    this.#onLost = onLost;
  }

  /** Called when a socket has opened. */
  begin(): void {
    this.stop();
    this.#silent = 0;
    this.#answers = false;
    this.#ask();
    this.#lookLater();
  }

  /** Something arrived. */
  heard(isAnswer: boolean): void {
    this.#silent = 0;
    if (isAnswer) this.#answers = true;
  }

  stop(): void {
    this.#cancel?.();
  }

  #lookLater(): void {
    this.#cancel = this.#clock.setTimer(lookEveryMs, () => this.#look());
  }

  #look(): void {
    if (!this.#answers) return; // an answer that comes later than that is no measure
    this.#silent += 1;
    if (this.#silent === longestSilence) return this.#onLost();
    this.#ask();
    this.#lookLater();
  }
}

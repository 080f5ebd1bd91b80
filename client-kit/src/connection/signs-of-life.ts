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

export interface SignsOfLifeOptions {
  readonly clock: Pick<Clock, "setTimer">;
  readonly ask: () => void;
  readonly onLost: () => void;
}

export class SignsOfLife {
  readonly #options: SignsOfLifeOptions;
  #cancel: CancelTimer | undefined;
  /** Looks since something arrived. */
  #silent = 0;
  /** An older service does not know the question. */
  #answers = false;

  constructor(options: SignsOfLifeOptions) {
    this.#options = options;
  }

  /** From when a socket is open. */
  begin(): void {
    this.stop();
    this.#silent = 0;
    this.#answers = false;
    this.#options.ask();
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
    this.#cancel = this.#options.clock.setTimer(lookEveryMs, () => this.#look());
  }

  #look(): void {
    if (!this.#answers) return; // an answer that comes later than that is no measure
    this.#silent += 1;
    if (this.#silent === longestSilence) return this.#options.onLost();
    this.#options.ask();
    this.#lookLater();
  }
}

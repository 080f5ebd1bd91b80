/** FAIL-6, from the side of the session that gives up: what it leaves to the one that goes on. */
import type { SessionLoss } from "../fallback-session.ts";

export interface FallbackOptions {
  /** Resolves once the tools that run have done so, and typed turns were taken: whoever goes on must know of them. */
  readonly settled: () => Promise<unknown>;
  readonly isClosed: () => boolean;
  readonly onLost: (loss: SessionLoss) => void;
}

export class Fallback {
  readonly #options: FallbackOptions;
  readonly #loss: SessionLoss;
  readonly #unheard: Int16Array[];
  #callerWaits: boolean;

  constructor(loss: SessionLoss, options: FallbackOptions) {
    this.#options = options;
    this.#loss = loss;
    this.#unheard = [...loss.unheard];
    this.#callerWaits = loss.callerWaits;
    void this.#complete();
  }

  /** The caller has said something, for whoever goes on to answer. */
  expectAnswer(): void {
    this.#callerWaits = true;
  }

  /** What the caller says meanwhile. The array may be reused after the call. */
  keep(samples: Int16Array): void {
    this.#unheard.push(samples.slice());
  }

  async #complete(): Promise<void> {
    await this.#options.settled();
    if (this.#options.isClosed()) return;
    this.#options.onLost({ ...this.#loss, callerWaits: this.#callerWaits, unheard: this.#unheard });
  }
}

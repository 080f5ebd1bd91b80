/** FAIL-6: what the session that gives up hands over to its successor. */
import type { SessionLoss } from "../fallback-session.ts";

export interface FallbackOptions {
  /** Resolves once running tools have finished and typed turns were stored, because the successor needs both. */
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

  /** The caller's words, which the successor answers. */
  expectAnswer(): void {
    this.#callerWaits = true;
  }

  /** Buffers the caller's audio meanwhile. The array may be reused after the call. */
  keep(samples: Int16Array): void {
    this.#unheard.push(samples.slice());
  }

  async #complete(): Promise<void> {
    await this.#options.settled();
    if (this.#options.isClosed()) return;
    this.#options.onLost({ ...this.#loss, callerWaits: this.#callerWaits, unheard: this.#unheard });
  }
}

/**
 * Words that bridge a tool's run ("one moment, please"). A realtime service makes one response at a time, so the response to what the tools
 * gave waits for their end.
 */
import type { Clock } from "@voice/shared/platform/clock";
import { pause } from "@voice/shared/platform/pause";

/** Longer than any notice takes to generate; after this the service has lost it. */
const limitMs = 5000;

export class ToolNotice {
  readonly #over = new AbortController();
  #isAwaited = true;

  /** The service has not ended the notice yet. */
  get isAwaited(): boolean {
    return this.#isAwaited;
  }

  /** The service has ended the notice. */
  end(): void {
    this.#isAwaited = false;
    this.drop();
  }

  /** The service has dropped the notice, so nothing waits for it any more. */
  drop(): void {
    this.#over.abort();
  }

  /** Resolves when the notice has ended or was dropped, when `signal` is aborted, or when the service must have lost the notice. */
  over(signal: AbortSignal, clock: Clock): Promise<void> {
    return pause(clock, limitMs, AbortSignal.any([signal, this.#over.signal]));
  }
}

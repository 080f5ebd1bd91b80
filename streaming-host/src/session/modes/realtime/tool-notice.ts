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

  /** The service has not ended it. */
  get isAwaited(): boolean {
    return this.#isAwaited;
  }

  /** The service has ended it. */
  end(): void {
    this.#isAwaited = false;
    this.callOff();
  }

  /** The service has dropped it, and nothing waits for it any more. */
  callOff(): void {
    this.#over.abort();
  }

  /** Resolves when it is over, or `signal` is aborted, or the service has lost it. */
  over(signal: AbortSignal, clock: Clock): Promise<void> {
    return pause(clock, limitMs, AbortSignal.any([signal, this.#over.signal]));
  }
}

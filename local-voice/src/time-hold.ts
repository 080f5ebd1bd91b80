/**
 * Pauses simulated time while a speech engine works. Otherwise a thread that gets too little processor time would respond late on a clock
 * that continues, and the conversation would take a different course. The system clock cannot be paused.
 */
import type { Clock } from "@voice/shared/platform/clock";

export class TimeHold {
  readonly #clock: Pick<Clock, "hold">;
  #release: (() => void) | undefined;

  constructor(clock: Pick<Clock, "hold">) {
    this.#clock = clock;
  }

  /** Holds or releases the clock. Idempotent. */
  set(held: boolean): void {
    if (held) this.#release ??= this.#clock.hold?.();
    else {
      this.#release?.();
      this.#release = undefined;
    }
  }
}

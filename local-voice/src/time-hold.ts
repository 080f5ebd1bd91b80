/**
 * Lets simulated time stand still while a speech engine works. A thread that is given less of the processor than it needs
 * would otherwise hear and answer late in a conversation whose clock runs on, and the conversation would go differently.
 * The system's clock cannot be held: there an engine that is late is late.
 */
import type { Clock } from "@voice/shared/platform/clock";

export class TimeHold {
  readonly #clock: Pick<Clock, "hold">;
  #release: (() => void) | undefined;

  constructor(clock: Pick<Clock, "hold">) {
    this.#clock = clock;
  }

  /** Holds or releases the clock; saying the same twice changes nothing. */
  set(held: boolean): void {
    if (held) this.#release ??= this.#clock.hold?.();
    else {
      this.#release?.();
      this.#release = undefined;
    }
  }
}

/**
 * A clock on which conversations pass as fast as the machine can hold them, and always in the same way: time stands still
 * while anything is being worked on, and then passes a few milliseconds. What is measured on it is what the service waits for,
 * and nothing of what a busy machine adds.
 */
import { VirtualClock } from "@voice/shared/platform/virtual-clock";

const stepMs = 5;
/** Turns of the event loop in which what was written to a socket of this process arrives, and is answered. */
const turnsToSettle = 4;

export class LockstepClock extends VirtualClock {
  #isRunning = false;

  /** `isBusy`: somebody works on another thread, and will be heard of. */
  start(isBusy: () => boolean): void {
    this.#isRunning = true;
    void this.#run(isBusy);
  }

  stop(): void {
    this.#isRunning = false;
  }

  async #run(isBusy: () => boolean): Promise<void> {
    while (this.#isRunning) {
      for (let turn = 0; turn < turnsToSettle; turn++) await nextTurn();
      if (!isBusy()) this.advance(stepMs);
    }
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

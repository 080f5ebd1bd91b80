/** The local engines on a clock that stands still while they work, so that nothing depends on how fast they are. */
import { createLocalSynthesiser } from "@voice/local-voice/synthesiser/local-synthesiser";
import type { Recogniser } from "@voice/provider-kit/ports/recogniser";
import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import { createInlineRecogniser } from "./inline-recogniser.ts";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";

const stepMs = 5;
/** Turns of the event loop in which what was written to a socket of this process arrives, and is answered. */
const turnsToSettle = 4;

/**
 * A clock on which conversations pass as fast as the machine can hold them, and always in the same way: time stands still while anything
 * is being worked on, and then passes a few milliseconds. What is measured on it is what the service waits for, and nothing of what a busy
 * machine adds.
 */
class LockstepClock extends VirtualClock {
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

export interface LockstepSpeech {
  readonly clock: LockstepClock;
  readonly recogniser: Recogniser;
  readonly synthesiser: Synthesiser;
  close(): Promise<void>;
}

export async function startLockstepSpeech(decoders: number): Promise<LockstepSpeech> {
  const clock = new LockstepClock();
  const [voice, recogniser] = await Promise.all([createLocalSynthesiser(), createInlineRecogniser(decoders)]);
  let atWork = 0;
  const synthesiser: Synthesiser = {
    async synthesise(request, events, signal) {
      atWork++;
      try {
        await voice.synthesise(request, events, signal);
      } finally {
        atWork--;
      }
    },
    pool: () => voice.pool(),
    close: () => voice.close(),
  };
  clock.start(() => atWork > 0);
  return {
    clock,
    recogniser,
    synthesiser,
    async close() {
      clock.stop();
      await Promise.all([recogniser.close(), voice.close()]);
    },
  };
}

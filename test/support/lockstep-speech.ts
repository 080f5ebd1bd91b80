/** The local engines on a clock that stands still while they work, so that nothing depends on how fast they are. */
import { createLocalSynthesiser } from "@voice/local-voice/synthesiser/local-synthesiser";
import type { Recogniser } from "@voice/provider-kit/ports/recogniser";
import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import { createInlineRecogniser } from "./inline-recogniser.ts";
import { LockstepClock } from "./lockstep-clock.ts";

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

import type { CancelTimer, Clock } from "@voice/shared/platform/clock";
import { explainedError } from "@voice/shared/platform/errors";
import type { VoiceError } from "@voice/shared/platform/errors";

/** For answers that come in pieces: tells when the next one does not come in time. */
export function limitSilence(clock: Clock, service: string, onSilent: (error: VoiceError) => void) {
  let cancel: CancelTimer = () => {};
  return {
    /** The next piece is expected within this time from now. */
    expect(withinMs: number): void {
      cancel();
      cancel = clock.setTimer(withinMs, () =>
        onSilent(explainedError("upstream_timeout", `${service} was silent for ${withinMs} ms`)),
      );
    },
    expectNothing: () => cancel(),
  };
}

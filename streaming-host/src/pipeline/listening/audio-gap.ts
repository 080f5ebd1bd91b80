/**
 * TURN-15: notices that a peer has stopped sending in the middle of something: a microphone that was switched off, a
 * client that sends speech only, a network that stalls. Costs nothing per frame.
 */
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";

/** Longer than jitter, shorter than a caller's patience. A gap is noticed after once to twice this time. */
export const audioGapMs = 750;

export interface AudioGapWatch {
  /** Somebody speaks: more audio must follow. */
  begin(): void;
  end(): void;
}

/** `heardMs`: how much audio has come so far. */
export function watchForAudioGap(clock: Clock, heardMs: () => number, onGap: () => void): AudioGapWatch {
  let cancel: CancelTimer | undefined;

  function wait(): void {
    const beforeMs = heardMs();
    cancel = clock.setTimer(audioGapMs, () => {
      cancel = undefined;
      if (heardMs() > beforeMs) wait();
      else onGap();
    });
  }

  return {
    begin() {
      if (cancel === undefined) wait();
    },
    end() {
      cancel?.();
      cancel = undefined;
    },
  };
}

/**
 * TURN-15: detects that a peer has stopped sending in mid-utterance: a muted microphone, a client that sends only
 * speech, a stalled network. Costs nothing per frame.
 */
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";

/** Longer than jitter, shorter than a caller's patience. A gap is noticed after once to twice this time. */
export const audioGapMs = 750;

export interface AudioGapWatch {
  /** Somebody is speaking, so more audio should follow. */
  begin(): void;
  end(): void;
}

/** `heardMs`: how much audio was received so far. */
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

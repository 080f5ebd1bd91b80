/**
 * TURN-15: detects that a peer has stopped sending in the middle of an utterance: a muted microphone, or a client that sends only speech. A
 * stalled network looks the same at first, but it delivers everything later. The two are told apart by a probe: its response shows that the
 * peer has sent nothing more. Costs nothing per frame.
 */
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";

/** Longer than jitter and shorter than a caller's patience. A gap is noticed after one to two times this duration. */
export const audioGapMs = 750;

/** TCP retransmits a lost packet after 0.2, 0.6, 1.4, 3 and 6.2 s. A network that is silent for longer is not waited for. */
export const longestStallMs = 10_000;

export interface AudioGapWatch {
  /** The caller is speaking, so more audio should follow. */
  begin(): void;
  end(): void;
}

export function watchForAudioGap(
  clock: Clock,
  /** How much audio was received so far, in milliseconds. */
  heardMs: () => number,
  /** Calls back when the peer has responded, which is after everything that it had sent before. */
  probe: (onAnswered: () => void) => void,
  /** `silentMs`: no audio has arrived for at least this long. */
  onGap: (silentMs: number) => void,
): AudioGapWatch {
  let cancel: CancelTimer | undefined;

  function wait(): void {
    const beforeMs = heardMs();
    cancel = clock.setTimer(audioGapMs, () => {
      cancel = undefined;
      if (heardMs() > beforeMs) wait();
      else ask(beforeMs);
    });
  }

  function ask(beforeMs: number): void {
    const askedMs = clock.now();
    const decide = (): void => {
      if (cancel !== waiting) return; // the wait has ended, or another one has started
      cancel();
      cancel = undefined;
      if (heardMs() > beforeMs) wait();
      else onGap(audioGapMs + clock.now() - askedMs);
    };
    const waiting = clock.setTimer(longestStallMs, decide);
    cancel = waiting;
    probe(decide);
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

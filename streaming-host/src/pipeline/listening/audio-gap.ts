/**
 * TURN-15: detects that a peer has stopped sending in mid-utterance: a muted microphone, a client that sends only
 * speech. A network that brings nothing looks the same, but brings all of it later; a peer that answers has not sent any
 * more. Costs nothing per frame.
 */
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";

/** Longer than jitter, shorter than a caller's patience. A gap is noticed after once to twice this time. */
export const audioGapMs = 750;

/** A lost packet is sent again after 0.2, 0.6, 1.4, 3 and 6.2 s. Nobody waits for an answer from a network that is gone for longer. */
export const longestStallMs = 10_000;

export interface AudioGapWatch {
  /** Somebody is speaking, so more audio should follow. */
  begin(): void;
  end(): void;
}

export interface AudioGapOptions {
  readonly clock: Clock;
  /** How much audio was received so far. */
  readonly heardMs: () => number;
  /** Calls back when the peer has answered, after everything that it had sent before. */
  readonly probe: (onAnswered: () => void) => void;
  /** `silentMs`: for at least so long nothing has come. */
  readonly onGap: (silentMs: number) => void;
}

export function watchForAudioGap({ clock, heardMs, probe, onGap }: AudioGapOptions): AudioGapWatch {
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
      if (cancel !== waiting) return; // it has ended, or another wait has begun
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

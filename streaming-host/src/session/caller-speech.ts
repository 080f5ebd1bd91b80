/** When the caller spoke last, as a service tells it that counts in the audio it was given. */
import type { Clock } from "@voice/shared/platform/clock";

export interface CallerSpeech {
  started(atMs: number): void;
  stopped(atMs: number): void;
  readonly isOn: boolean;
  /** On the session's clock. */
  readonly fromMs: number;
  readonly untilMs: number;
}

/** `appendedMs`: audio that was given so far; the newest of it is now. */
export function createCallerSpeech(clock: Clock, appendedMs: () => number): CallerSpeech {
  let isOn = false;
  let sinceMs = clock.now();
  let last = { fromMs: sinceMs, untilMs: sinceMs };
  const toClockMs = (audioMs: number): number => clock.now() - Math.max(0, appendedMs() - audioMs);
  return {
    started(atMs) {
      isOn = true;
      sinceMs = toClockMs(atMs);
    },
    stopped(atMs) {
      isOn = false;
      last = { fromMs: sinceMs, untilMs: toClockMs(atMs) };
    },
    get isOn() {
      return isOn;
    },
    get fromMs() {
      return last.fromMs;
    },
    get untilMs() {
      return last.untilMs;
    },
  };
}

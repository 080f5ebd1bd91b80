/** Collects keys into one turn (TURN-9): `#` ends it, `*` clears it, a pause ends it; where nothing was pressed before, both stand for themselves. */
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";

export const interDigitTimeoutMs = 2000;
/** A `#` within this time after a pause has ended a number still belongs to that number. */
export const lateHashMs = 5000;
const maxDigits = 32;

export interface DigitCollector {
  push(keys: string): void;
  /** More keys may follow those that were pressed. */
  readonly isCollecting: boolean;
  /** The caller has left: what they had pressed by then is collected. */
  close(): void;
}

export function createDigitCollector(clock: Clock, onCollected: (digits: string) => void): DigitCollector {
  let digits = "";
  let cancel: CancelTimer | undefined;
  let endedByPauseAtMs = Number.NEGATIVE_INFINITY;

  function finish(): void {
    cancel?.();
    cancel = undefined;
    const collected = digits;
    digits = "";
    if (collected !== "") onCollected(collected);
  }

  function pauseEnds(): void {
    endedByPauseAtMs = clock.now();
    finish();
  }

  function press(key: string): void {
    if (digits !== "" && key === "#") finish();
    else if (digits !== "" && key === "*") digits = "";
    else if (key === "*") onCollected(key);
    else if (key === "#") {
      if (clock.now() - endedByPauseAtMs > lateHashMs) onCollected(key);
    } else {
      digits += key;
      if (digits.length >= maxDigits) finish();
    }
  }

  return {
    get isCollecting() {
      return digits !== "";
    },
    push(keys) {
      for (const key of keys) press(key);
      cancel?.();
      cancel = digits === "" ? undefined : clock.setTimer(interDigitTimeoutMs, pauseEnds);
    },
    close: finish,
  };
}

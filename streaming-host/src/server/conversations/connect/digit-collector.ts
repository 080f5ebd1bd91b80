/** Collects keys into one turn (TURN-9): `#` ends it, `*` clears it, a pause ends it. */
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";

export const interDigitTimeoutMs = 2000;
const maxDigits = 32;

export interface DigitCollector {
  push(keys: string): void;
  /** More keys may follow those that were pressed. */
  readonly isCollecting: boolean;
  close(): void;
}

export function createDigitCollector(clock: Clock, onCollected: (digits: string) => void): DigitCollector {
  let digits = "";
  let cancel: CancelTimer | undefined;

  function finish(): void {
    cancel?.();
    cancel = undefined;
    const collected = digits;
    digits = "";
    if (collected !== "") onCollected(collected);
  }

  return {
    get isCollecting() {
      return digits !== "";
    },
    push(keys) {
      for (const key of keys) {
        if (key === "#") finish();
        else if (key === "*") digits = "";
        else digits += key;
        if (digits.length >= maxDigits) finish();
      }
      cancel?.();
      cancel = digits === "" ? undefined : clock.setTimer(interDigitTimeoutMs, finish);
    },
    close() {
      cancel?.();
      digits = "";
    },
  };
}

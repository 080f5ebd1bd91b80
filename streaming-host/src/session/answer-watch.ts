/**
 * Whether the caller hears what they wait for, where a model speaks by itself (FAIL-1, FAIL-2): what stays away or fails
 * is made up for with an apology; when even that is not heard, or nothing succeeds any more, the model is given up.
 */
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";
import { deadAirMs, maxFailures } from "./turn/turn-settings.ts";

export interface AnswerWatch {
  /** The caller waits for a word from now on. */
  expect(): void;
  /** The caller speaks, or nothing is to come. */
  stop(): void;
  readonly isWaiting: boolean;
  /** A reply was heard to its end. */
  onHeard(): void;
  /** A reply failed. */
  fail(): void;
}

export function createAnswerWatch(
  clock: Clock,
  events: { readonly onApology: (failures: number) => void; readonly onGivenUp: () => void },
): AnswerWatch {
  let cancel: CancelTimer | undefined;
  let failures = 0;
  let isApologising = false;

  function stop(): void {
    cancel?.();
    cancel = undefined;
  }

  function expect(): void {
    cancel?.();
    cancel = clock.setTimer(deadAirMs, fail);
  }

  function fail(): void {
    stop();
    failures++;
    if (isApologising || failures >= maxFailures) {
      events.onGivenUp();
      return;
    }
    isApologising = true;
    expect();
    events.onApology(failures);
  }

  return {
    expect,
    stop,
    get isWaiting() {
      return cancel !== undefined;
    },
    onHeard() {
      if (!isApologising) failures = 0;
      isApologising = false;
    },
    fail,
  };
}

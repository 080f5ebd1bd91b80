/** Reports the levels of both sides, at most ten times a second (FR-6) and only while there is something to see. */
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";

export interface LevelMeter {
  input(level: number): void;
  output(level: number): void;
  close(): void;
}

const intervalMs = 100;
/** -60 dB: below it a meter shows nothing. */
const audibleLevel = 0.001;

export function createLevelMeter(
  clock: Clock,
  report: (levels: { input: number; output: number }) => void,
): LevelMeter {
  let input = 0;
  let output = 0;
  let reportedAtMs = Number.NEGATIVE_INFINITY;
  let wasSilent = true;
  let cancelFall: CancelTimer | undefined;

  function consider(): void {
    const now = clock.now();
    if (now - reportedAtMs < intervalMs) return;
    const isSilent = input < audibleLevel && output < audibleLevel;
    reportedAtMs = now;
    if (!(isSilent && wasSilent)) report({ input: round(input), output: round(output) });
    wasSilent = isSilent;
    input = 0;
    output = 0;
    // Reports silence once both sides stop sending; otherwise meters would freeze at the last level.
    if (!isSilent)
      cancelFall ??= clock.setTimer(2 * intervalMs, () => {
        cancelFall = undefined;
        consider();
      });
  }

  return {
    input(level) {
      input = Math.max(input, level);
      consider();
    },
    output(level) {
      output = Math.max(output, level);
      consider();
    },
    close() {
      cancelFall?.();
      cancelFall = undefined;
    },
  };
}

function round(level: number): number {
  return Math.round(level * 1000) / 1000;
}

/** How loud both sides are, at most ten times a second (FR-6) and only while there is something to see. */
import type { Clock } from "@voice/shared/platform/clock";

export interface LevelMeter {
  input(level: number): void;
  output(level: number): void;
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

  function consider(): void {
    const now = clock.now();
    if (now - reportedAtMs < intervalMs) return;
    const isSilent = input < audibleLevel && output < audibleLevel;
    reportedAtMs = now;
    if (!(isSilent && wasSilent)) report({ input: round(input), output: round(output) });
    wasSilent = isSilent;
    input = 0;
    output = 0;
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
  };
}

function round(level: number): number {
  return Math.round(level * 1000) / 1000;
}

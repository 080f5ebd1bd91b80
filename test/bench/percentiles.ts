/** Figures of a run, rounded for reading. */
import { percentile as percentileOf } from "@voice/shared/platform/percentile";

/** Not a number if nothing was measured, so that a table shows it as that. */
export function percentile(values: readonly number[], share: number): number {
  return percentileOf(values, share) ?? Number.NaN;
}

export function summary(values: readonly number[], shares: readonly number[]): string {
  const figures = shares.map((share) => `p${share * 100} ${percentile(values, share).toFixed(2)}`);
  return `${figures.join("  ")} ms  (n=${values.length})`;
}

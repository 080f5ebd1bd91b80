/** Figures of a run, rounded for reading. */

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function summary(values: readonly number[], shares: readonly number[]): string {
  const figures = shares.map((share) => `p${share * 100} ${percentile(values, share).toFixed(2)}`);
  return `${figures.join("  ")} ms  (n=${values.length})`;
}

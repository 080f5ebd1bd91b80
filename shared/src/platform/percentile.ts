/**
 * The percentile by nearest rank: the least of the values that `share` of them do not exceed, so always one that was measured. `share` is
 * between 0 (the least) and 1 (the greatest). Undefined if there are no values.
 */
export function percentile(values: readonly number[], share: number): number | undefined {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
}

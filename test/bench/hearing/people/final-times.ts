/** When callers could be answered: the time from their last speech until the final that ends their turn, as a cell of a table. */
export function formatFinalTimes(timesMs: readonly number[]): string {
  const sorted = timesMs.toSorted((left, right) => left - right);
  const at = (share: number): string => (sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN).toFixed(0);
  return sorted.length === 0 ? "-" : `${at(0.5)}, ${at(0.9)}`;
}

import { percentile } from "../../percentiles.ts";

/** When callers could be answered: the time from their last speech until the final that ends their turn, as a cell of a table. */
export function formatFinalTimes(timesMs: readonly number[]): string {
  return timesMs.length === 0 ? "-" : [0.5, 0.9].map((share) => percentile(timesMs, share).toFixed(0)).join(", ");
}

/** What a run of `npm run simulate` ends with. Pure. */
import type { Comparison } from "./baseline.ts";
import type { Stop } from "./run-simulation.ts";
import type { RunSummary } from "./summarise-run.ts";

/**
 * 2 if a price was missing, so that the run could not keep to its budget; 1 if a criterion has fallen below its baseline, or if no
 * session has a result.
 */
export function exitCodeOf(
  { sessions, notHeld, notJudged }: Pick<RunSummary, "sessions" | "notHeld" | "notJudged">,
  comparisons: readonly Pick<Comparison, "hasFallen">[] | undefined,
  stopped: Stop["kind"] | undefined,
): number {
  if (stopped === "price-missing") return 2;
  const hasFallen = comparisons?.some((comparison) => comparison.hasFallen) === true;
  return hasFallen || notHeld + notJudged === sessions ? 1 : 0;
}

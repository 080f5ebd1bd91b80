/** What a run of `npm run simulate` ends with. Pure. */
import type { Comparison } from "./baseline.ts";
import type { Stop } from "./run-simulation.ts";
import type { RunSummary } from "./summarise-run.ts";

/**
 * 2 if a price was missing, so that the run could not keep to its budget; 1 if a criterion has fallen below its baseline or, where
 * there is none to compare with, if a session has failed; 1 as well if no session has a result.
 */
export function exitCodeOf(
  { sessions, failed, notHeld, notJudged }: Pick<RunSummary, "sessions" | "failed" | "notHeld" | "notJudged">,
  comparisons: readonly Pick<Comparison, "hasFallen">[] | undefined,
  stopped: Stop["kind"] | undefined,
): number {
  if (stopped === "price-missing") return 2;
  const isWorse = comparisons === undefined ? failed > 0 : comparisons.some(({ hasFallen }) => hasFallen);
  return isWorse || notHeld + notJudged === sessions ? 1 : 0;
}

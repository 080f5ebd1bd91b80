/** Compares a run with an earlier one. A criterion has fallen if chance explains the difference badly enough. */
import { z } from "zod";
import { probabilityOfFall } from "./statistics.ts";

const tally = z.object({ passed: z.int().min(0), total: z.int().min(0) });

export const baselineSchema = z.object({ scenario: z.string(), criteria: z.record(z.string(), tally) });
export type Baseline = z.infer<typeof baselineSchema>;

export interface Comparison {
  readonly criterion: string;
  readonly before: number;
  readonly now: number;
  /** The probability of this fall, or of a larger one, if nothing has changed. */
  readonly probability: number;
  readonly hasFallen: boolean;
}

/** A run in which nothing has changed fails this often, whatever the number of criteria (Holm's method). */
const falseAlarms = 0.05;

export function compareWith(before: Baseline, now: Baseline): readonly Comparison[] {
  const compared = Object.entries(before.criteria).flatMap(([criterion, then]) => {
    const current = now.criteria[criterion];
    if (current === undefined || current.total === 0 || then.total === 0) return [];
    return [
      {
        criterion,
        before: then.passed / then.total,
        now: current.passed / current.total,
        probability: probabilityOfFall(then, current),
      },
    ];
  });
  let holds = true;
  return compared
    .toSorted((left, right) => left.probability - right.probability)
    .map((comparison, rank) => {
      holds &&= comparison.probability <= falseAlarms / (compared.length - rank);
      return { ...comparison, hasFallen: holds };
    });
}

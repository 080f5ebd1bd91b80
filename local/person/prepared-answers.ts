/** How often an answer had been begun before its turn ended (TURN-10), and how often in vain. */
import type { TurnMetrics } from "./reply.ts";

export interface PreparedAnswers {
  /** Turns whose end was estimated; typed ones end at once, so that there is no time to prepare an answer in. */
  readonly turns: number;
  readonly used: number;
  readonly discarded: number;
}

export function countPrepared(turns: Iterable<Pick<TurnMetrics, "metrics">>): PreparedAnswers {
  let [estimated, used, discarded] = [0, 0, 0];
  for (const { metrics } of turns) {
    if (metrics["wait_ms"] !== undefined) estimated++;
    if (metrics["prepared_ms"] !== undefined) used++;
    discarded += metrics["preparations_discarded"] ?? 0;
  }
  return { turns: estimated, used, discarded };
}

export function preparedLine({ turns, used, discarded }: PreparedAnswers): string {
  const share = (part: number, whole: number): string => `${whole === 0 ? 0 : Math.round((100 * part) / whole)} %`;
  return `prepared answers: used in ${used} of ${turns} turns (${share(used, turns)}), ${discarded} of ${used + discarded} prepared in vain (${share(discarded, used + discarded)})`;
}

/** TOOL-11: how many answers of a model may call tools in one turn, so that it cannot call them for ever. Pure. */
import type { Agent } from "@voice/shared/catalog/agent";

/** Agents of public benchmarks (tau-bench's retail and airline tasks) call one tool at a time, up to 18 times for one request. */
const defaultRounds = 25;
/** A caller who has waited for so long wants to hear what has been done so far. */
const longestWorkMs = 120_000;

export function mayCallTools(
  { model }: Pick<Agent, "model">,
  { rounds, workedMs }: { readonly rounds: number; readonly workedMs: number },
): boolean {
  return rounds < (model.maxToolRounds ?? defaultRounds) && workedMs < longestWorkMs;
}

/** What the model is told with the last request. */
export const roundsSpent =
  "You have called tools as often as you may in one turn. Call none now. Tell the caller what is done and what is still missing, and ask whether to go on.";

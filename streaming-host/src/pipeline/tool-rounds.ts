/** TOOL-11: limits how many responses of a model may call tools in one turn, so that it cannot call them for ever. Pure. */
import type { Agent } from "@voice/shared/catalog/agent";

/** In public benchmarks (the retail and airline tasks of tau-bench) agents call one tool at a time, up to 18 times for one request. */
const defaultRounds = 25;
/** A caller who has waited this long wants to hear what has been done so far. */
const longestWorkMs = 120_000;

export function mayCallTools(
  { model }: Pick<Agent, "model">,
  { rounds, workedMs }: { readonly rounds: number; readonly workedMs: number },
): boolean {
  return rounds < (model.maxToolRounds ?? defaultRounds) && workedMs < longestWorkMs;
}

/** Sent to the model with the last request. */
export const roundsSpent =
  "You have called tools as often as you may in one turn. Call none now. Tell the caller what is done and what is still missing, and ask whether to go on.";

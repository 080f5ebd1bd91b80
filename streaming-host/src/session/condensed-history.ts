/**
 * The history as the model reads it: word by word as far as the budget goes, before that a summary. A cut is remembered,
 * so that a summary is made every few minutes and not on every turn.
 */
import { plainSummary, splitHistory, summaryNote } from "@voice/shared/conversation/history-budget";
import type { HistoryBudget } from "@voice/shared/conversation/history-budget";
import type { HistoryItem } from "@voice/shared/state/ports/session-store";

export class CondensedHistory {
  readonly #budget: HistoryBudget | undefined;
  /** What the summary begins with; another beginning is another history (a handoff that shares no context). */
  #first: HistoryItem | undefined;
  #summarised = 0;
  #summary: string | undefined;

  constructor(budget?: HistoryBudget) {
    this.#budget = budget;
  }

  /** `known` only grows at its end as long as it begins with the same item. */
  read(known: readonly HistoryItem[]): readonly HistoryItem[] {
    const [first] = known;
    if (first === undefined || first !== this.#first) {
      this.#first = first;
      this.#summarised = 0;
      this.#summary = undefined;
    }
    const { summarise, keep } = splitHistory(known.slice(this.#summarised), this.#budget);
    if (summarise.length > 0) {
      this.#summary = plainSummary(this.#summary, summarise);
      this.#summarised += summarise.length;
    }
    if (first === undefined || this.#summary === undefined) return keep;
    const { role, content } = summaryNote(this.#summary);
    return [
      { role, content, agent: first.agent, turnId: first.turnId, timestampMs: first.timestampMs, interrupted: false },
      ...keep,
    ];
  }
}

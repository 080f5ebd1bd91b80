/** A conversation's history as it is read: the part that the active agent may see, in full or within the model's budget. */
import type { Agent } from "@voice/shared/catalog/agent";
import type { HistoryBudget } from "@voice/shared/conversation/history-budget";
import { historySize } from "@voice/shared/conversation/history-size";
import type { Logger } from "@voice/shared/platform/logger";
import { insertInOrder } from "@voice/shared/state/history-order";
import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import type { WriteSummary } from "../../pipeline/cascade/write-summary.ts";
import { CondensedHistory } from "./condensed-history.ts";
import type { CondensedHistoryOptions } from "./condensed-history.ts";
import { knownHistory } from "./known-history.ts";

/**
 * Where the active agent's part of the history begins: after this item, or with the first one. It is an item because items are inserted
 * before it (HIST-6), which moves positions.
 */
export interface HistoryBoundary {
  readonly after: HistoryItem | undefined;
}

export interface ConversationHistoryOptions {
  readonly items: readonly HistoryItem[];
  /** Where the part begins that the active agent may see; undefined if it may see everything. */
  readonly knownFrom: number | undefined;
  readonly activeAgent: () => Agent;
  /** Absent: older history is summarised without a model. */
  readonly writeSummary: WriteSummary | undefined;
  /** MODEL-12. */
  readonly budget: () => HistoryBudget;
  readonly logger: Logger;
}

export class ConversationHistory {
  readonly #items: HistoryItem[];
  readonly #condensed: CondensedHistory;
  #size: number;
  #boundary: HistoryBoundary | undefined;
  /** The history for the model as it was last read; undefined once it has changed. */
  #forModel: readonly HistoryItem[] | undefined;
  /** Tokens used for summaries since they were last taken. */
  #summaryTokens = 0;

  constructor(options: ConversationHistoryOptions) {
    const { items, writeSummary, logger } = options;
    this.#items = [...items];
    this.#size = historySize(items);
    const { knownFrom } = options;
    this.#boundary = knownFrom === undefined ? undefined : { after: items[Math.min(knownFrom, items.length) - 1] };
    this.#condensed = new CondensedHistory({
      budget: options.budget,
      summarise: writeSummary && this.#summariser(writeSummary, options.activeAgent),
      onWritten: () => {
        this.#forModel = undefined;
      },
      onFailed: (error) => logger.warn({ error, code: error.code }, "a summary could not be written"),
    });
  }

  get all(): readonly HistoryItem[] {
    return this.#items;
  }

  /** Characters, as `historySize` counts them. */
  get size(): number {
    return this.#size;
  }

  /** The same object until another agent takes over with whom the context is not shared. */
  get boundary(): HistoryBoundary | undefined {
    return this.#boundary;
  }

  /** The position of the boundary, as it is stored. */
  get knownFrom(): number | undefined {
    if (this.#boundary === undefined) return undefined;
    const { after } = this.#boundary;
    return after === undefined ? 0 : this.#items.indexOf(after) + 1;
  }

  /** The part that the active agent may see. */
  get known(): readonly HistoryItem[] {
    return knownHistory(this.#items, this.knownFrom);
  }

  /**
   * The same within the model's budget: older turns only as a summary. The same array until something changes. Read between
   * turns, it has what no longer fits summarised before the next one.
   */
  get forModel(): readonly HistoryItem[] {
    return (this.#forModel ??= this.#condensed.read(this.known));
  }

  /** HIST-6: each goes to its place, which may be before items that are here. */
  add(items: readonly HistoryItem[]): void {
    if (items.length === 0) return;
    for (const item of items) insertInOrder(this.#items, item);
    this.#size += historySize(items);
    this.#forModel = undefined;
  }

  /** An agent takes over with whom the context is not shared. */
  beginAfresh(): void {
    this.#boundary = { after: this.#items.at(-1) };
    this.#forModel = undefined;
  }

  /** What `beginAfresh` has hidden is seen again. */
  goBackTo(boundary: HistoryBoundary | undefined): void {
    this.#boundary = boundary;
    this.#forModel = undefined;
  }

  takeSummaryTokens(): number {
    const tokens = this.#summaryTokens;
    this.#summaryTokens = 0;
    return tokens;
  }

  /** No summary is written any more. */
  close(): void {
    this.#condensed.close();
  }

  #summariser(write: WriteSummary, activeAgent: () => Agent): CondensedHistoryOptions["summarise"] {
    return async (previous, items, signal) => {
      const { text, usage } = await write({ agent: activeAgent(), previous, items }, signal);
      this.#summaryTokens += (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0);
      return text;
    };
  }
}

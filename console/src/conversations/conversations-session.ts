/** The table of conversations: the pages that were read, kept up to date, and its export. Independent of React and the page. */
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";

import { describeProblem } from "../api/api-problem.ts";
import type { ConversationInfo, ConversationPage, ConversationsApi } from "../api/conversations-api.ts";
import { Store } from "@voice/client-kit/store";
import { isSameFilter, toParameters } from "../conversation/conversation-filter.ts";
import type { ConversationFilter } from "../conversation/conversation-filter.ts";
import { appendPage, countNew, mergeFirstPage } from "./merge-rows.ts";

const refreshEveryMs = 3000;
const rowsPerPage = 100;
/** A page may be empty although others follow: a filter that finds few looks at many. */
const maxPagesAtOnce = 10;
/** What an export reads at most. */
const maxExportedPages = 50;
const rowsPerExportedPage = 200;

export interface ConversationsState {
  readonly filter: ConversationFilter;
  /** Undefined until the first answer to this filter. */
  readonly rows: readonly ConversationInfo[] | undefined;
  /** More can be read. */
  readonly hasMore: boolean;
  /** Null where the service has not counted them. */
  readonly total: number | null;
  readonly isLoadingMore: boolean;
  /** Rows that wait until the pointer has left the table. */
  readonly newCount: number;
  readonly problem: string | undefined;
  readonly isExporting: boolean;
  readonly exportProblem: string | undefined;
}

export interface ConversationsSessionOptions {
  readonly api: ConversationsApi;
  readonly clock: Clock;
}

export class ConversationsSession {
  readonly store = new Store<ConversationsState>({
    filter: {},
    rows: undefined,
    hasMore: false,
    total: null,
    isLoadingMore: false,
    newCount: 0,
    problem: undefined,
    isExporting: false,
    exportProblem: undefined,
  });
  readonly #options: ConversationsSessionOptions;
  #abort: AbortController | undefined;
  #cancelTimer: CancelTimer | undefined;
  /** Where the next page begins. */
  #next: string | undefined;
  #isHeld = false;
  /** What is shown once the list is no longer held. */
  #waiting: readonly ConversationInfo[] | undefined;

  constructor(options: ConversationsSessionOptions) {
    this.#options = options;
  }

  /** Refreshes this list until the returned function is called. */
  show(filter: ConversationFilter): () => void {
    this.#stop();
    const isSame = isSameFilter(filter, this.store.get().filter);
    this.#waiting = undefined;
    // Whoever comes back from a conversation finds the list as it was.
    if (!isSame) {
      this.#next = undefined;
      this.store.update({ rows: undefined, hasMore: false, total: null });
    }
    this.store.update({ filter, problem: undefined, newCount: 0, isLoadingMore: false, exportProblem: undefined });
    const abort = new AbortController();
    this.#abort = abort;
    void this.#refresh(abort.signal);
    return () => this.#stop();
  }

  /** While somebody points at a row, none comes between that row and the pointer. */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
    if (!isHeld) this.showNew();
  }

  showNew(): void {
    if (this.#waiting === undefined) return;
    this.store.update({ rows: this.#waiting, newCount: 0 });
    this.#waiting = undefined;
  }

  async loadMore(): Promise<void> {
    const { hasMore, isLoadingMore } = this.store.get();
    const signal = this.#abort?.signal;
    if (!hasMore || isLoadingMore || signal === undefined) return;
    this.store.update({ isLoadingMore: true });
    try {
      const { conversations, next } = await this.#read(this.#next, signal);
      if (signal.aborted) return;
      this.#next = next ?? undefined;
      const add = (rows: readonly ConversationInfo[]) => appendPage(rows, conversations);
      this.#waiting = this.#waiting && add(this.#waiting);
      this.store.update({ rows: add(this.store.get().rows ?? []), hasMore: next !== null, isLoadingMore: false });
    } catch (error) {
      if (signal.aborted) return;
      this.store.update({ isLoadingMore: false, problem: describeProblem(error) });
    }
  }

  /** The whole list with this filter, as the service has it now. */
  async export(format: "csv" | "json", save: (content: Blob) => void): Promise<void> {
    const { filter, isExporting } = this.store.get();
    if (isExporting) return;
    this.store.update({ isExporting: true, exportProblem: undefined });
    const { signal } = new AbortController();
    const { api, clock } = this.#options;
    const parameters = toParameters(filter, clock.wallNow());
    try {
      if (format === "csv") save(await api.csv(parameters, signal));
      else {
        const rows: ConversationInfo[] = [];
        let after: string | undefined;
        for (let page = 0; page < maxExportedPages; page += 1) {
          const { conversations, next } = await api.page(parameters, { limit: rowsPerExportedPage, after }, signal);
          rows.push(...conversations);
          if (next === null) break;
          after = next;
        }
        save(new Blob([JSON.stringify(rows, undefined, 2)], { type: "application/json" }));
      }
    } catch (error) {
      this.store.update({ exportProblem: describeProblem(error) });
    } finally {
      this.store.update({ isExporting: false });
    }
  }

  #stop(): void {
    this.#abort?.abort();
    this.#abort = undefined;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  async #refresh(signal: AbortSignal): Promise<void> {
    try {
      const first = await this.#read(undefined, signal);
      if (signal.aborted) return;
      this.#receive(first);
    } catch (error) {
      if (signal.aborted) return;
      this.store.update({ problem: describeProblem(error) });
    }
    this.#cancelTimer = this.#options.clock.setTimer(refreshEveryMs, () => void this.#refresh(signal));
  }

  #receive({ conversations, next, total }: ConversationPage): void {
    const { rows } = this.store.get();
    const merged = mergeFirstPage(this.#waiting ?? rows ?? [], { conversations, isLast: next === null });
    const isLonger = merged.length > conversations.length;
    if (!isLonger) this.#next = next ?? undefined;
    this.store.update({ total, problem: undefined, hasMore: isLonger ? this.#next !== undefined : next !== null });
    const newCount = rows === undefined ? 0 : countNew(rows, merged);
    if (this.#isHeld && newCount > 0) {
      this.#waiting = merged;
      this.store.update({ rows: merged.slice(newCount), newCount });
    } else {
      this.#waiting = undefined;
      this.store.update({ rows: merged, newCount: 0 });
    }
  }

  /** One page, or as many as it takes until there is something to show. */
  async #read(after: string | undefined, signal: AbortSignal): Promise<ConversationPage> {
    const { api, clock } = this.#options;
    const parameters = toParameters(this.store.get().filter, clock.wallNow());
    let page = await api.page(parameters, { limit: rowsPerPage, after }, signal);
    for (let read = 1; read < maxPagesAtOnce && page.next !== null && page.conversations.length === 0; read += 1)
      page = await api.page(parameters, { limit: rowsPerPage, after: page.next }, signal);
    return page;
  }
}

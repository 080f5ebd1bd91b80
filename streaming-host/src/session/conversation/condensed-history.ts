/**
 * The history for the model: verbatim within the budget, preceded by a summary of everything older. The cut is
 * remembered, so that a summary is written every few minutes and not on every turn. Nothing waits for a summary: a
 * plain one is used until the model has written one, or if it cannot.
 */
import { plainSummary, splitHistory, summaryNote } from "@voice/shared/conversation/history-budget";
import type { HistoryBudget } from "@voice/shared/conversation/history-budget";
import { isAbort, toVoiceError } from "@voice/shared/platform/errors";
import type { VoiceError } from "@voice/shared/platform/errors";
import type { HistoryItem } from "@voice/shared/state/ports/session-store";

export interface CondensedHistoryOptions {
  /** Asked at each reading, because it may be learnt in the middle of a call how much the model reads. */
  readonly budget?: (() => HistoryBudget) | undefined;
  /** Asks a model to extend the `previous` summary. Absent: summaries stay plain. */
  readonly summarise?:
    | ((previous: string | undefined, items: readonly HistoryItem[], signal: AbortSignal) => Promise<string>)
    | undefined;
  /** The model's summary takes the plain one's place. */
  readonly onWritten?: (() => void) | undefined;
  readonly onFailed?: ((error: VoiceError) => void) | undefined;
}

/** A summary and how many items of the history it stands for. */
interface Summary {
  readonly text: string | undefined;
  readonly items: number;
}

const noSummary: Summary = { text: undefined, items: 0 };

export class CondensedHistory {
  readonly #options: CondensedHistoryOptions;
  /**
   * The first and the last item covered. Where either is elsewhere, the history is a different one (after a handoff without shared context),
   * or words that came late belong among those that are summarised (HIST-6).
   */
  #first: HistoryItem | undefined;
  #last: HistoryItem | undefined;
  #summary = noSummary;
  /** The last summary by a model: the next one is written from it and everything since, whatever failed in between. */
  #written = noSummary;
  #writing: AbortController | undefined;

  constructor(options: CondensedHistoryOptions = {}) {
    this.#options = options;
  }

  read(known: readonly HistoryItem[]): readonly HistoryItem[] {
    const [first] = known;
    if (first === undefined || first !== this.#first || known[this.#summary.items - 1] !== this.#last) {
      this.close();
      this.#first = first;
      this.#last = undefined;
      this.#summary = noSummary;
      this.#written = noSummary;
    }
    const { summarise, keep } = splitHistory(known.slice(this.#summary.items), this.#options.budget?.());
    if (summarise.length > 0) {
      const items = this.#summary.items + summarise.length;
      this.#summary = { text: plainSummary(this.#summary.text, summarise), items };
      this.#last = known[items - 1];
      void this.#write(known.slice(this.#written.items, items), items);
    }
    const { text } = this.#summary;
    if (first === undefined || text === undefined) return keep;
    const { role, content } = summaryNote(text);
    return [
      { role, content, agent: first.agent, turnId: first.turnId, timestampMs: first.timestampMs, interrupted: false },
      ...keep,
    ];
  }

  close(): void {
    this.#writing?.abort(new DOMException("the summary is not needed any more", "AbortError"));
    this.#writing = undefined;
  }

  async #write(items: readonly HistoryItem[], until: number): Promise<void> {
    const { summarise, onWritten, onFailed } = this.#options;
    if (summarise === undefined) return;
    this.close(); // an older summary covers less
    const writing = new AbortController();
    this.#writing = writing;
    try {
      const text = await summarise(this.#written.text, items, writing.signal);
      if (this.#writing !== writing) return;
      this.#written = { text, items: until };
      this.#summary = this.#written;
      onWritten?.();
    } catch (error) {
      if (!isAbort(error)) onFailed?.(toVoiceError(error));
    } finally {
      if (this.#writing === writing) this.#writing = undefined;
    }
  }
}

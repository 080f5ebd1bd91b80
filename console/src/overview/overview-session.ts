/** The figures of a span of days, refreshed while the page is shown. */
import type { Clock } from "@voice/shared/platform/clock";

import { describeProblem } from "../api/api-problem.ts";
import type { Overview, OverviewApi, Span } from "../api/overview-api.ts";
import { repeatedly } from "../repeatedly.ts";
import { Store } from "@voice/client-kit/store";

/** A conversation counts when it is over, so figures change slowly. */
const everyMs = 15_000;

export interface OverviewState {
  readonly days: Span;
  /** Undefined until the first answer for this span. */
  readonly overview: Overview | undefined;
  readonly problem: string | undefined;
}

export class OverviewSession {
  readonly store = new Store<OverviewState>({ days: 7, overview: undefined, problem: undefined });
  readonly #api: OverviewApi;
  readonly #clock: Clock;
  readonly #timeZone: () => string;

  constructor(api: OverviewApi, clock: Clock, timeZone: () => string) {
    this.#api = api;
    this.#clock = clock;
    this.#timeZone = timeZone;
  }

  /** Runs until the returned function is called. */
  watch(days: Span): () => void {
    if (this.store.get().days !== days) this.store.set({ days, overview: undefined, problem: undefined });
    return repeatedly(this.#clock, (signal) => this.#read(days, signal));
  }

  async #read(days: Span, signal: AbortSignal): Promise<number> {
    try {
      const overview = await this.#api.overview(days, this.#timeZone(), signal);
      if (!signal.aborted) this.store.set({ days, overview, problem: undefined });
    } catch (error) {
      // The last known figures remain useful while the service does not answer.
      if (!signal.aborted) this.store.update({ problem: describeProblem(error) });
    }
    return everyMs;
  }
}

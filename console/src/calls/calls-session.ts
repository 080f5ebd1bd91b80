/** The latest calls, refreshed, and an operator's actions on them. */
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";

import { answersAgain } from "../api/answers.ts";
import type { OnceItAnswers } from "../api/answers.ts";
import { describeProblem } from "../api/api-problem.ts";
import type { CallInfo, CallsApi, CallRequest } from "../api/calls-api.ts";
import { isOnItsWay } from "../conversation/call-outcome.ts";
import { Store } from "@voice/client-kit/store";

const listEveryMs = 3000;
/** Long enough to be read; afterwards the list says what has become of it. */
const newsForMs = 8000;
/** Shorter while a phone rings, because somebody is waiting for the outcome. */
const listSoonMs = 700;

export interface CallsState {
  /** `undefined` until the first answer to the current query. */
  readonly calls: readonly CallInfo[] | undefined;
  readonly listProblem: string | undefined;
  readonly isBusy: boolean;
  /** The outcome of the last action, in words. */
  readonly done: string | undefined;
  readonly problem: string | undefined;
}

export interface CallsSessionOptions {
  readonly clock: Clock;
  readonly api: CallsApi;
  readonly transfer: (sessionId: string, number: string) => Promise<string>;
  readonly onceItAnswers: OnceItAnswers;
}

export class CallsSession {
  readonly store = new Store<CallsState>({
    calls: undefined,
    listProblem: undefined,
    isBusy: false,
    done: undefined,
    problem: undefined,
  });
  readonly #options: CallsSessionOptions;
  #abort: AbortController | undefined;
  #cancelTimer: CancelTimer | undefined;
  #cancelNews: CancelTimer | undefined;
  #search: string | undefined;

  constructor(options: CallsSessionOptions) {
    this.#options = options;
  }

  /** Refreshes the latest calls, or the one with this id, until the returned function is called. */
  show(search?: string): () => void {
    this.#search = search;
    this.store.update({ calls: undefined, listProblem: undefined });
    this.#listNow();
    return () => this.#stop();
  }

  /** True if the call is being placed. */
  async place(request: CallRequest): Promise<boolean> {
    const isTaken = await this.#request(async () => {
      await this.#options.api.place(request);
      return `${request.number} is being called.`;
    });
    if (isTaken) this.#listNow();
    return isTaken;
  }

  hangUp(callId: string): Promise<boolean> {
    return this.#request(async () => {
      await this.#options.api.hangUp(callId);
      return "The call is being hung up.";
    });
  }

  transfer(sessionId: string, number: string): Promise<boolean> {
    return this.#request(() => this.#options.transfer(sessionId, number));
  }

  forget(): void {
    this.#cancelNews?.();
    this.store.update({ done: undefined, problem: undefined });
  }

  async #request(ask: () => Promise<string>): Promise<boolean> {
    this.#cancelNews?.();
    this.store.update({ isBusy: true, done: undefined, problem: undefined });
    try {
      this.store.update({ isBusy: false, done: await ask() });
      this.#cancelNews = this.#options.clock.setTimer(newsForMs, () => this.store.update({ done: undefined }));
      return true;
    } catch (error) {
      const problem = describeProblem(error);
      this.store.update({ isBusy: false, problem });
      this.#options.onceItAnswers(error, () => {
        if (this.store.get().problem === problem) this.store.update({ problem: undefined, done: answersAgain });
      });
      return false;
    }
  }

  #stop(): void {
    this.#abort?.abort();
    this.#abort = undefined;
    this.#cancelTimer?.();
  }

  #listNow(): void {
    this.#stop();
    const abort = new AbortController();
    this.#abort = abort;
    void this.#list(abort.signal);
  }

  async #list(signal: AbortSignal): Promise<void> {
    const { api, clock } = this.#options;
    try {
      const { calls } = await api.list(this.#search, signal);
      if (signal.aborted) return;
      this.store.update({ calls, listProblem: undefined });
    } catch (error) {
      if (signal.aborted) return;
      this.store.update({ listProblem: describeProblem(error) });
    }
    const everyMs = this.store.get().calls?.some(isOnItsWay) === true ? listSoonMs : listEveryMs;
    this.#cancelTimer = clock.setTimer(everyMs, () => void this.#list(signal));
  }
}

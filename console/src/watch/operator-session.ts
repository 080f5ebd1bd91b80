/** An operator's actions on the watched conversation, each shown as in progress, done or refused. */
import type { ServerPayloads } from "@voice/shared/contracts/stream/server-message";

import { answersAgain } from "../api/answers.ts";
import type { OnceItAnswers } from "../api/answers.ts";
import { describeProblem } from "../api/api-problem.ts";
import type { ServiceApi } from "../api/service-api.ts";
import { Store } from "../store.ts";

export interface OperatorState {
  readonly isBusy: boolean;
  /** What the service now does, in its own words, or what became of it. */
  readonly done: string | undefined;
  readonly problem: string | undefined;
}

const idle: OperatorState = { isBusy: false, done: undefined, problem: undefined };

export class OperatorSession {
  readonly store = new Store<OperatorState>(idle);
  readonly #api: Pick<ServiceApi, "say" | "end" | "transfer">;
  readonly #onceItAnswers: OnceItAnswers;
  /** Lines that the agent has not said yet. */
  #waitingLines: string[] = [];
  /** The service's answer to the latest line, shown until the last of them was said. */
  #promise: string | undefined;

  constructor(api: Pick<ServiceApi, "say" | "end" | "transfer">, onceItAnswers: OnceItAnswers) {
    this.#api = api;
    this.#onceItAnswers = onceItAnswers;
  }

  /** True if the service has accepted the request. */
  async say(sessionId: string, text: string): Promise<boolean> {
    const isAccepted = await this.#request(() => this.#api.say(sessionId, text));
    if (isAccepted) {
      this.#waitingLines.push(text);
      this.#promise = this.store.get().done;
    }
    return isAccepted;
  }

  /** The agent speaks; if these were the last words that an operator has asked for, the operator is told. */
  hear({ text, is_final: isFinal, interrupted = false }: ServerPayloads["response"]): void {
    if (!isFinal || text === "") return;
    const said = this.#waitingLines.findIndex((line) => (interrupted ? line.startsWith(text) : line === text));
    if (said === -1) return;
    this.#waitingLines.splice(said, 1);
    const isShown = this.#promise !== undefined && this.store.get().done === this.#promise;
    if (this.#waitingLines.length > 0 || !isShown) return;
    this.store.update({
      done: interrupted ? "The caller interrupted the agent in the middle of it." : "The agent has said it.",
    });
  }

  end(sessionId: string): Promise<boolean> {
    return this.#request(() => this.#api.end(sessionId));
  }

  transfer(sessionId: string, number: string): Promise<boolean> {
    return this.#request(() => this.#api.transfer(sessionId, number));
  }

  forget(): void {
    this.#waitingLines = [];
    this.#promise = undefined;
    this.store.set(idle);
  }

  async #request(ask: () => Promise<string>): Promise<boolean> {
    this.store.set({ ...idle, isBusy: true });
    try {
      this.store.set({ ...idle, done: await ask() });
      return true;
    } catch (error) {
      const failed = { ...idle, problem: describeProblem(error) };
      this.store.set(failed);
      this.#onceItAnswers(error, () => {
        if (this.store.get() === failed) this.store.set({ ...idle, done: answersAgain });
      });
      return false;
    }
  }
}

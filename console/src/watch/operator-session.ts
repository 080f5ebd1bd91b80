/** What an operator does with the conversation that is watched. Each wish is said to be under way, done or refused. */
import { describeProblem } from "../api/api-problem.ts";
import type { ServiceApi } from "../api/service-api.ts";
import { Store } from "../store.ts";

export interface OperatorState {
  readonly isBusy: boolean;
  /** The service's own words for what it does now. */
  readonly done: string | undefined;
  readonly problem: string | undefined;
}

const idle: OperatorState = { isBusy: false, done: undefined, problem: undefined };

export class OperatorSession {
  readonly store = new Store<OperatorState>(idle);
  readonly #api: Pick<ServiceApi, "say" | "end" | "transfer">;

  constructor(api: Pick<ServiceApi, "say" | "end" | "transfer">) {
    this.#api = api;
  }

  /** True when the service has taken the wish. */
  say(sessionId: string, text: string): Promise<boolean> {
    return this.#wish(() => this.#api.say(sessionId, text));
  }

  end(sessionId: string): Promise<boolean> {
    return this.#wish(() => this.#api.end(sessionId));
  }

  transfer(sessionId: string, number: string): Promise<boolean> {
    return this.#wish(() => this.#api.transfer(sessionId, number));
  }

  forget(): void {
    this.store.set(idle);
  }

  async #wish(ask: () => Promise<string>): Promise<boolean> {
    this.store.set({ ...idle, isBusy: true });
    try {
      this.store.set({ ...idle, done: await ask() });
      return true;
    } catch (error) {
      this.store.set({ ...idle, problem: describeProblem(error) });
      return false;
    }
  }
}

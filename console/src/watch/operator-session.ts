/** An operator's actions on the watched conversation, each shown as in progress, done or refused. */
import { describeProblem } from "../api/api-problem.ts";
import type { ServiceApi } from "../api/service-api.ts";
import { Store } from "../store.ts";

export interface OperatorState {
  readonly isBusy: boolean;
  /** What the service now does, in its own words. */
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

  /** True if the service has accepted the request. */
  say(sessionId: string, text: string): Promise<boolean> {
    return this.#request(() => this.#api.say(sessionId, text));
  }

  end(sessionId: string): Promise<boolean> {
    return this.#request(() => this.#api.end(sessionId));
  }

  transfer(sessionId: string, number: string): Promise<boolean> {
    return this.#request(() => this.#api.transfer(sessionId, number));
  }

  forget(): void {
    this.store.set(idle);
  }

  async #request(ask: () => Promise<string>): Promise<boolean> {
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

/** The customer that the caller plays: the demonstration's default one, or a generated one. */
import type { OnceItAnswers } from "../api/answers.ts";
import { describeProblem } from "../api/api-problem.ts";
import type { Customer, CustomerKind, ServiceApi } from "../api/service-api.ts";
import { Store } from "@voice/client-kit/store";

export interface CustomerState {
  /** The usual one if undefined. */
  readonly customer: Customer | undefined;
  readonly isBeingMade: boolean;
  readonly problem: string | undefined;
}

export class CustomerSession {
  readonly store = new Store<CustomerState>({ customer: undefined, isBeingMade: false, problem: undefined });
  readonly #api: Pick<ServiceApi, "generateCustomer">;
  readonly #onceItAnswers: OnceItAnswers;

  constructor(api: Pick<ServiceApi, "generateCustomer">, onceItAnswers: OnceItAnswers) {
    this.#api = api;
    this.#onceItAnswers = onceItAnswers;
  }

  /** Undefined if no customer could be generated; the state says why. */
  async make(kind: CustomerKind): Promise<Customer | undefined> {
    this.store.set({ ...this.store.get(), isBeingMade: true, problem: undefined });
    try {
      const customer = await this.#api.generateCustomer(kind);
      this.store.set({ customer, isBeingMade: false, problem: undefined });
      return customer;
    } catch (error) {
      const problem = describeProblem(error);
      this.store.update({ isBeingMade: false, problem });
      this.#onceItAnswers(error, () => {
        if (this.store.get().problem === problem) this.store.update({ problem: undefined });
      });
      return undefined;
    }
  }

  useDefault(): void {
    this.store.set({ customer: undefined, isBeingMade: false, problem: undefined });
  }
}

/** Whom the caller plays: the demonstration's usual customer, or one that is made up for the occasion. */
import { describeProblem } from "../api/api-problem.ts";
import type { Customer, CustomerKind, ServiceApi } from "../api/service-api.ts";
import { Store } from "../store.ts";

export interface CustomerState {
  /** Undefined: the usual one. */
  readonly customer: Customer | undefined;
  readonly isBeingMade: boolean;
  readonly problem: string | undefined;
}

export class CustomerSession {
  readonly store = new Store<CustomerState>({ customer: undefined, isBeingMade: false, problem: undefined });
  readonly #api: Pick<ServiceApi, "generateCustomer">;

  constructor(api: Pick<ServiceApi, "generateCustomer">) {
    this.#api = api;
  }

  /** Undefined where nobody could be made up; the state says why. */
  async make(kind: CustomerKind): Promise<Customer | undefined> {
    this.store.set({ ...this.store.get(), isBeingMade: true, problem: undefined });
    try {
      const customer = await this.#api.generateCustomer(kind);
      this.store.set({ customer, isBeingMade: false, problem: undefined });
      return customer;
    } catch (error) {
      this.store.update({ isBeingMade: false, problem: describeProblem(error) });
      return undefined;
    }
  }

  useUsual(): void {
    this.store.set({ customer: undefined, isBeingMade: false, problem: undefined });
  }
}

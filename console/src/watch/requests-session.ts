/** What the models of the watched conversation were sent. It is requested when somebody wants to read it. */
import { describeProblem } from "../api/api-problem.ts";
import type { ModelRequest, ServiceApi } from "../api/service-api.ts";
import { Store } from "@voice/client-kit/store";

export type RequestsState =
  | { readonly kind: "none" }
  | { readonly kind: "loading" }
  | { readonly kind: "ready"; readonly requests: readonly ModelRequest[] }
  | { readonly kind: "failed"; readonly problem: string };

export class RequestsSession {
  readonly store = new Store<RequestsState>({ kind: "none" });
  readonly #api: Pick<ServiceApi, "modelRequests">;
  #abort = new AbortController();

  constructor(api: Pick<ServiceApi, "modelRequests">) {
    this.#api = api;
  }

  async load(sessionId: string): Promise<void> {
    this.forget();
    const { signal } = this.#abort;
    this.store.set({ kind: "loading" });
    try {
      const requests = await this.#api.modelRequests(sessionId, signal);
      if (!signal.aborted) this.store.set({ kind: "ready", requests });
    } catch (error) {
      if (!signal.aborted) this.store.set({ kind: "failed", problem: describeProblem(error) });
    }
  }

  forget(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.store.set({ kind: "none" });
  }
}

/** The costs of the watched conversation. They are read again after each turn, because only the service knows prices. */
import type { CostsApi, SessionCosts } from "../api/costs-api.ts";
import { Store } from "@voice/client-kit/store";

interface CostState {
  readonly sessionId: string | undefined;
  readonly costs: SessionCosts | undefined;
}

export class CostSession {
  readonly store = new Store<CostState>({ sessionId: undefined, costs: undefined });
  readonly #api: CostsApi;

  constructor(api: CostsApi) {
    this.#api = api;
  }

  /** Returns a function that stops it. After a failure the costs that are shown stay: another request of the page reports the failure. */
  read(sessionId: string): () => void {
    const abort = new AbortController();
    if (this.store.get().sessionId !== sessionId) this.store.update({ sessionId, costs: undefined });
    void this.#read(sessionId, abort.signal);
    return () => abort.abort();
  }

  async #read(sessionId: string, signal: AbortSignal): Promise<void> {
    const costs = await this.#api.costs(sessionId, signal).catch(() => undefined);
    if (costs !== undefined && !signal.aborted) this.store.update({ costs });
  }
}

/** Who can be talked to: agents and scenarios, asked for until the service answers. */
import type { Clock } from "@voice/shared/platform/clock";

import type { AgentInfo, ScenarioInfo, ServiceApi } from "../api/service-api.ts";
import { Store } from "../store.ts";

const RETRY_MS = 3000;

export interface CatalogState {
  readonly agents: readonly AgentInfo[];
  readonly scenarios: readonly ScenarioInfo[];
  readonly status: "loading" | "ready" | "unreachable";
}

export class CatalogSession {
  readonly store = new Store<CatalogState>({ agents: [], scenarios: [], status: "loading" });
  readonly #api: ServiceApi;
  readonly #clock: Clock;

  constructor(api: ServiceApi, clock: Clock) {
    this.#api = api;
    this.#clock = clock;
  }

  /** Returns what stops it. */
  load(): () => void {
    const abort = new AbortController();
    void this.#attempt(abort.signal);
    return () => abort.abort();
  }

  async #attempt(signal: AbortSignal): Promise<void> {
    const [agents, scenarios] = await Promise.allSettled([this.#api.agents(signal), this.#api.scenarios(signal)]);
    if (signal.aborted) return;
    if (agents.status === "fulfilled" && scenarios.status === "fulfilled") {
      this.store.set({ agents: agents.value, scenarios: scenarios.value, status: "ready" });
      return;
    }
    this.store.update({ status: "unreachable" });
    const cancel = this.#clock.setTimer(RETRY_MS, () => void this.#attempt(signal));
    signal.addEventListener("abort", cancel, { once: true });
  }
}

/** The available agents and scenarios, requested until the service answers. */
import type { Clock } from "@voice/shared/platform/clock";

import { describeProblem, isUnreachable } from "../api/api-problem.ts";
import type { AgentInfo, Features, ScenarioInfo, ServiceApi } from "../api/service-api.ts";
import { repeatedly } from "../repeatedly.ts";
import { Store } from "@voice/client-kit/store";

const retryMs = 3000;

export interface CatalogState extends Features {
  readonly agents: readonly AgentInfo[];
  readonly scenarios: readonly ScenarioInfo[];
  /** The default if none is requested. */
  readonly defaultScenario: string | undefined;
  /** What went wrong, in a sentence; the request is repeated meanwhile. */
  readonly problem: string | undefined;
}

export class CatalogSession {
  readonly store = new Store<CatalogState>({
    agents: [],
    scenarios: [],
    defaultScenario: undefined,
    hasLocalRecognition: false,
    hasSimulatedPhones: false,
    problem: undefined,
  });
  readonly #api: ServiceApi;
  readonly #clock: Clock;

  constructor(api: ServiceApi, clock: Clock) {
    this.#api = api;
    this.#clock = clock;
  }

  /** Returns the function that stops it. */
  load(): () => void {
    return repeatedly(this.#clock, (signal) => this.#attempt(signal));
  }

  /** Resolves with the delay of the next attempt; undefined if none is needed. */
  async #attempt(signal: AbortSignal): Promise<number | undefined> {
    try {
      const [{ agents, scenario }, scenarios, features] = await Promise.all([
        this.#api.agents(signal),
        this.#api.scenarios(signal),
        this.#api.features(signal),
      ]);
      if (signal.aborted) return undefined;
      const defaultScenario = scenario ?? scenarios[0]?.name;
      this.store.set({ agents, scenarios, defaultScenario, ...features, problem: undefined });
      return undefined;
    } catch (error) {
      if (!signal.aborted) this.store.update({ problem: describeFailure(error) });
      return retryMs;
    }
  }
}

function describeFailure(error: unknown): string {
  const what = isUnreachable(error) ? "" : "The agents could not be listed: ";
  return `${what}${describeProblem(error)} Trying again every few seconds.`;
}

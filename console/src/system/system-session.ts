/** The service's state, refreshed while the page is shown. */
import type { Clock } from "@voice/shared/platform/clock";

import { describeProblem } from "../api/api-problem.ts";
import type { Readiness, SystemApi, SystemInfo } from "../api/system-api.ts";
import { repeatedly } from "../repeatedly.ts";
import { Store } from "@voice/client-kit/store";

/** As often as hosts send heartbeats. */
const everyMs = 5000;

export interface SystemState {
  readonly readiness: Readiness | undefined;
  readonly system: SystemInfo | undefined;
  /** One sentence for each part that could not be read. */
  readonly problems: readonly string[];
}

export class SystemSession {
  readonly store = new Store<SystemState>({ readiness: undefined, system: undefined, problems: [] });
  readonly #api: SystemApi;
  readonly #clock: Clock;

  constructor(api: SystemApi, clock: Clock) {
    this.#api = api;
    this.#clock = clock;
  }

  /** Not refreshed: operators request it when they need it. */
  get audit(): SystemApi["audit"] {
    return this.#api.audit;
  }

  /** Runs until the returned function is called. What only operators may see is requested only if the user is one. */
  watch(isOperator: boolean): () => void {
    return repeatedly(this.#clock, (signal) => this.#read(isOperator, signal));
  }

  async #read(isOperator: boolean, signal: AbortSignal): Promise<number | undefined> {
    const [readiness, system] = await Promise.allSettled([
      this.#api.readiness(signal),
      isOperator ? this.#api.system(signal) : Promise.resolve(undefined),
    ]);
    if (signal.aborted) return undefined;
    const failed = [
      ...(readiness.status === "rejected" ? [{ what: "Readiness", why: describeProblem(readiness.reason) }] : []),
      ...(system.status === "rejected" ? [{ what: "Hosts and settings", why: describeProblem(system.reason) }] : []),
    ];
    // Both fail for the same reason when the whole service is away.
    const reasons = new Set(failed.map(({ why }) => why));
    const problems =
      failed.length > reasons.size ? [...reasons] : failed.map(({ what, why }) => `${what} could not be read: ${why}`);
    this.store.set({
      readiness: readiness.status === "fulfilled" ? readiness.value : undefined,
      // The last known hosts and settings remain useful while the service does not answer.
      system: system.status === "fulfilled" ? system.value : this.store.get().system,
      problems,
    });
    return everyMs;
  }
}

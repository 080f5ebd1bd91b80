/** Whether conversations can begin, known on every page. Asked for more often while something does not work, because people wait for it. */
import type { Clock } from "@voice/shared/platform/clock";

import type { Readiness, SystemApi } from "../api/system-api.ts";
import { repeatedly } from "../repeatedly.ts";
import { Store } from "@voice/client-kit/store";
import { readinessInWords } from "./describe-system.ts";

const everyMs = 15_000;
const whileBrokenMs = 4000;

export interface HealthState {
  /** What does not work, in a sentence; undefined while everything does, and where nobody knows. */
  readonly trouble: string | undefined;
  /** Nothing can begin. False where nobody knows, because then trying is the way to find out. */
  readonly isDown: boolean;
  /** The service has said how it is. */
  readonly isKnown: boolean;
}

const unknown: HealthState = { trouble: undefined, isDown: false, isKnown: false };

export class HealthSession {
  readonly store = new Store<HealthState>(unknown);
  readonly #api: Pick<SystemApi, "readiness">;
  readonly #clock: Clock;

  constructor(api: Pick<SystemApi, "readiness">, clock: Clock) {
    this.#api = api;
    this.#clock = clock;
  }

  /** Runs until the returned function is called. */
  watch(): () => void {
    return repeatedly(this.#clock, (signal) => this.#read(signal));
  }

  async #read(signal: AbortSignal): Promise<number | undefined> {
    let state = unknown;
    try {
      state = describeHealth(await this.#api.readiness(signal));
    } catch {
      // A service that does not answer is reported where something of it is shown.
    }
    if (signal.aborted) return undefined;
    this.store.update(state);
    return state.trouble === undefined ? everyMs : whileBrokenMs;
  }
}

function describeHealth(readiness: Readiness): HealthState {
  if (readiness.status === "ready") return { ...unknown, isKnown: true };
  return { trouble: readinessInWords(readiness), isDown: readiness.status === "not_ready", isKnown: true };
}

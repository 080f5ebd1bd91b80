/** The phone call that carries the watched conversation: read until it is over, because its outcome comes last. */
import type { Clock } from "@voice/shared/platform/clock";

import { describeProblem } from "../api/api-problem.ts";
import type { CallInfo, CallsApi } from "../api/calls-api.ts";
import { isLive } from "../conversation/call-outcome.ts";
import { repeatedly } from "../repeatedly.ts";
import { Store } from "@voice/client-kit/store";

const everyMs = 3000;

export interface WatchedCallState {
  /** Undefined until it was read, and if the service knows of none any more. */
  readonly call: CallInfo | undefined;
  readonly problem: string | undefined;
}

const nothing: WatchedCallState = { call: undefined, problem: undefined };

export class WatchedCall {
  readonly store = new Store<WatchedCallState>(nothing);
  readonly #api: Pick<CallsApi, "ofSession">;
  readonly #clock: Clock;

  constructor(api: Pick<CallsApi, "ofSession">, clock: Clock) {
    this.#api = api;
    this.#clock = clock;
  }

  /** Runs until the returned function is called. */
  watch(sessionId: string): () => void {
    this.store.set(nothing);
    return repeatedly(this.#clock, (signal) => this.#read(sessionId, signal));
  }

  async #read(sessionId: string, signal: AbortSignal): Promise<number | undefined> {
    try {
      const call = await this.#api.ofSession(sessionId, signal);
      if (signal.aborted) return undefined;
      this.store.set({ call, problem: undefined });
      return call !== undefined && isLive(call) ? everyMs : undefined;
    } catch (error) {
      if (!signal.aborted) this.store.update({ problem: describeProblem(error) });
      return everyMs;
    }
  }
}

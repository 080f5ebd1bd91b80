/**
 * Whether a service can be reached, and accepts who we are, known before a caller finds out: a small request is made at the start, again soon
 * while it fails, and now and then while it works, because a service that no conversation needs says nothing by itself.
 */
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";
import { VoiceError, explainedError, toVoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import { createOutageLog } from "@voice/shared/platform/outage-log";
import type { OutageLog } from "@voice/shared/platform/outage-log";
import { unlessAborted } from "@voice/shared/platform/unless-aborted";

const againMs = { reached: 60_000, failed: 15_000 };
const timeoutMs = 5_000;
const sentences = {
  failing: "a service cannot be reached, or refuses access; it is asked again",
  over: "a service can be reached",
};

export interface ReachabilityOptions {
  /** For example `speech recognition`. */
  readonly service: string;
  /** The request. It rejects if the service was not reached, or refuses who we are; any other answer is one. */
  readonly reach: (signal: AbortSignal) => Promise<void>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Why the service could not be reached, if it could not. */
export type Reached = "reached" | "not-asked" | VoiceError;

export class Reachability {
  readonly #options: ReachabilityOptions;
  readonly #closed = new AbortController();
  readonly #outage: OutageLog;
  #state: Reached = "not-asked";
  #onChanged: () => void = () => undefined;
  #cancel: CancelTimer = () => {};

  constructor(options: ReachabilityOptions) {
    this.#options = options;
    this.#outage = createOutageLog(options.logger, sentences, { service: options.service });
  }

  /** Asks from now on, until it is closed. `onChanged`: called when the state has changed. */
  begin(onChanged: () => void = () => undefined): void {
    this.#onChanged = onChanged;
    void this.#ask();
  }

  get state(): Reached {
    return this.#state;
  }

  close(): void {
    this.#cancel();
    this.#closed.abort();
  }

  async #ask(): Promise<void> {
    const before = this.#state;
    const state = await this.#reach();
    if (this.#closed.signal.aborted) return;
    this.#state = state;
    if (state instanceof VoiceError) this.#outage.failed(state);
    else this.#outage.worked();
    const wait = state instanceof VoiceError ? againMs.failed : againMs.reached;
    this.#cancel = this.#options.clock.setTimer(wait, () => void this.#ask());
    if (before instanceof VoiceError !== state instanceof VoiceError || before === "not-asked") this.#onChanged();
  }

  async #reach(): Promise<Reached> {
    const { reach, service } = this.#options;
    const limit = AbortSignal.timeout(timeoutMs);
    const signal = AbortSignal.any([this.#closed.signal, limit]);
    try {
      await unlessAborted(reach(signal), signal);
      return "reached";
    } catch (error) {
      if (limit.aborted) return explainedError("upstream_timeout", `${service} did not answer in time`);
      return toVoiceError(error);
    }
  }
}

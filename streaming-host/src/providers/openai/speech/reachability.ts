/**
 * Checks that a server of OpenAI's protocol is reachable and accepts our key before a caller finds out: its models are requested when the
 * host starts, and again until it responds properly.
 */
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";
import { UpstreamAccessError } from "@voice/shared/platform/errors";
import type { VoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import { createOutageLog } from "@voice/shared/platform/outage-log";
import type { OutageLog } from "@voice/shared/platform/outage-log";
import type { Upstream, UpstreamHealth } from "@voice/shared/platform/upstream";
import type OpenAI from "openai";
import { APIError } from "openai";
import { toUpstreamError } from "../errors.ts";

const askAgainMs = 15_000;
const timeoutMs = 5_000;
const sentences = {
  failing: "a speech server is not ready; it is asked again",
  over: "a speech server is ready",
};

export interface ReachabilityOptions {
  /** For example `speech recognition`. */
  readonly service: string;
  readonly client: OpenAI;
  readonly upstream: Upstream;
  readonly clock: Clock;
  readonly logger: Logger;
}

export class Reachability {
  readonly #options: ReachabilityOptions;
  readonly #closed = new AbortController();
  #problem: VoiceError | undefined;
  readonly #readiness: OutageLog;
  #cancel: CancelTimer = () => {};

  constructor(options: ReachabilityOptions) {
    this.#options = options;
    this.#readiness = createOutageLog(options.logger, sentences, { service: options.service });
    void this.#ask();
  }

  /** Reported like a pool's state. */
  get problem(): Pick<UpstreamHealth, "lastErrorCode" | "lastReason"> {
    const { status, lastErrorCode, lastReason } = this.#options.upstream.health();
    if (status === "down") return { lastErrorCode, lastReason };
    return { lastErrorCode: this.#problem?.code, lastReason: this.#problem?.reason };
  }

  close(): void {
    this.#cancel();
    this.#closed.abort();
  }

  async #ask(): Promise<void> {
    const { client, service, clock } = this.#options;
    try {
      await client.get("/models", { signal: this.#closed.signal, timeout: timeoutMs }).asResponse();
      this.#problem = undefined;
      this.#readiness.worked();
    } catch (error) {
      if (this.#closed.signal.aborted) return;
      this.#problem = isAnswer(error) ? undefined : toUpstreamError(error, service);
      if (this.#problem === undefined) return this.#readiness.worked();
      this.#readiness.failed(this.#problem);
      this.#cancel = clock.setTimer(askAgainMs, () => void this.#ask());
    }
  }
}

/** A server can do its work without a list of models; but a rejected key or an unreachable server is a problem. */
function isAnswer(error: unknown): boolean {
  if (!(error instanceof APIError) || error.status === undefined) return false;
  return !(toUpstreamError(error, "") instanceof UpstreamAccessError && error.status !== 404) && error.status < 500;
}

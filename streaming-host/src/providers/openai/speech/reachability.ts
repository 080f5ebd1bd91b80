/**
 * Whether a server of OpenAI's protocol is there and takes our key, before a caller finds out: it is asked for its models
 * when the host starts, and again for as long as it does not answer as it should.
 */
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";
import { UpstreamAccessError } from "@voice/shared/platform/errors";
import type { VoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import type { Upstream, UpstreamHealth } from "@voice/shared/platform/upstream";
import type OpenAI from "openai";
import { APIError } from "openai";
import { toUpstreamError } from "../errors.ts";

const askAgainMs = 15_000;
const timeoutMs = 5_000;

export interface ReachabilityOptions {
  /** As `speech recognition`. */
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
  #cancel: CancelTimer = () => {};

  constructor(options: ReachabilityOptions) {
    this.#options = options;
    void this.#ask();
  }

  /** What a pool says of itself. */
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
    const { client, service, clock, logger } = this.#options;
    try {
      await client.get("/models", { signal: this.#closed.signal, timeout: timeoutMs }).asResponse();
      this.#problem = undefined;
    } catch (error) {
      if (this.#closed.signal.aborted) return;
      this.#problem = isAnswer(error) ? undefined : toUpstreamError(error, service);
      if (this.#problem === undefined) return;
      logger.warn({ service, reason: this.#problem.reason }, "a speech server is not ready, asking again");
      this.#cancel = clock.setTimer(askAgainMs, () => void this.#ask());
    }
  }
}

/** Servers need no list of models to do their work; what says who we are not, or that nobody is there, is a problem. */
function isAnswer(error: unknown): boolean {
  if (!(error instanceof APIError) || error.status === undefined) return false;
  return !(toUpstreamError(error, "") instanceof UpstreamAccessError && error.status !== 404) && error.status < 500;
}

/**
 * Whether the communication service does what it is asked. That it refuses one request, because a call is gone or a number is
 * none, says nothing about the others.
 */
import { UpstreamAccessError } from "@voice/shared/platform/errors";
import type { VoiceError } from "@voice/shared/platform/errors";

/** For so long after a failure that may pass, unless it has done something since; perhaps nobody asks again. */
const reportedForMs = 30_000;

export interface ServiceHealthOptions {
  readonly wallNow: () => number;
  /** Each failure of the service as a whole. */
  readonly onFailed: (error: VoiceError) => void;
}

export class ServiceHealth {
  readonly #options: ServiceHealthOptions;
  #latest: { readonly error: VoiceError; readonly atMs: number } | undefined;

  constructor(options: ServiceHealthOptions) {
    this.#options = options;
  }

  /** Undefined while nothing is known to be wrong. */
  get problem(): string | undefined {
    if (this.#latest === undefined) return undefined;
    const { error, atMs } = this.#latest;
    const lasts = error instanceof UpstreamAccessError || this.#options.wallNow() - atMs < reportedForMs;
    return lasts ? (error.reason ?? error.message) : undefined;
  }

  worked(): void {
    this.#latest = undefined;
  }

  failed(error: VoiceError): void {
    if (!isOfService(error)) {
      // It has answered.
      this.#latest = undefined;
      return;
    }
    this.#latest = { error, atMs: this.#options.wallNow() };
    this.#options.onFailed(error);
  }
}

/** A call that is not in the state that a request needs is one that the service has. */
function isOfService(error: VoiceError): boolean {
  return error instanceof UpstreamAccessError || (error.retryable && error.code !== "conflict");
}

/**
 * Whether the communication service carries out requests. If it rejects a single one, because a call is gone or a number is invalid, that
 * says nothing about the others.
 */
import { UpstreamAccessError } from "@voice/shared/platform/errors";
import type { VoiceError } from "@voice/shared/platform/errors";

/** A temporary failure is reported for this long, unless a request succeeds meanwhile; there may be no further request. */
const reportedForMs = 30_000;

export class ServiceHealth {
  readonly #wallNow: () => number;
  /** Called for each failure of the service as a whole. */
  readonly #onFailed: (error: VoiceError) => void;
  #hasAnswered = false;
  #latest: { readonly error: VoiceError; readonly atMs: number } | undefined;

  constructor(wallNow: () => number, onFailed: (error: VoiceError) => void) {
    this.#wallNow = wallNow;
    this.#onFailed = onFailed;
  }

  /** Undefined while nothing is known to be wrong. */
  get problem(): string | undefined {
    if (this.#latest === undefined) return undefined;
    const { error, atMs } = this.#latest;
    const lasts = error instanceof UpstreamAccessError || this.#wallNow() - atMs < reportedForMs;
    return lasts ? (error.reason ?? error.message) : undefined;
  }

  /** Whether the last request that ended was answered. */
  get hasAnswered(): boolean {
    return this.#hasAnswered;
  }

  worked(): void {
    this.#hasAnswered = true;
    this.#latest = undefined;
  }

  failed(error: VoiceError): void {
    if (!isOfService(error)) {
      this.worked(); // it has responded
      return;
    }
    this.#hasAnswered = false;
    this.#latest = { error, atMs: this.#wallNow() };
    this.#onFailed(error);
  }
}

/** If the call is not in the state that a request needs, the service knows the call. */
function isOfService(error: VoiceError): boolean {
  return error instanceof UpstreamAccessError || (error.retryable && error.code !== "conflict");
}

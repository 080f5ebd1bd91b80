/**
 * Decides when to reopen a provider's connection. Each failure uses one attempt of the retry budget and waits longer than the one before; a
 * connection that lived long enough resets the budget. If the connection can be spared for a while, attempts continue beyond the budget.
 */
import { backoffDelayMs } from "@voice/shared/platform/backoff";
import type { RetrySettings } from "@voice/shared/platform/backoff";
import type { Clock } from "@voice/shared/platform/clock";
import { isAbort, toVoiceError } from "@voice/shared/platform/errors";
import type { VoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";

const healthyAfterMs = 10_000;
/** The delay between attempts beyond the budget. */
const longestDelayMs = 1000;

export interface ReopeningOptions {
  /** What is being opened, for the log: "recogniser". */
  readonly what: string;
  readonly retry: RetrySettings;
  /** For this long after the first failure, attempts continue beyond the budget. */
  readonly patienceMs?: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random: () => number;
  /** Aborted at the end: no further attempt is made. */
  readonly closed: AbortSignal;
  readonly open: () => Promise<void>;
  /** Called for each lost connection and each failed attempt, whether or not another one follows. */
  readonly onFailed?: (error: VoiceError) => void;
  /** The budget is exhausted, or the failure is not retryable. */
  readonly onLost: (error: VoiceError) => void;
}

export interface Reopening {
  /** Opens a connection. A failure counts as a lost connection. */
  start(): void;
  /** To be called when a connection is open. */
  opened(): void;
  /** The connection was lost: opens another one later, or gives up. */
  lost(error: VoiceError): void;
}

export function createReopening(options: ReopeningOptions): Reopening {
  const { retry, patienceMs = 0, clock, logger, closed, what } = options;
  let attempt = 0;
  let openedAtMs: number | undefined;
  let failingSinceMs = clock.now();

  function start(): void {
    options.open().catch((error: unknown) => {
      if (!isAbort(error) && !closed.aborted) lost(toVoiceError(error));
    });
  }

  function lost(error: VoiceError): void {
    if (openedAtMs !== undefined && clock.now() - openedAtMs > healthyAfterMs) attempt = 0;
    openedAtMs = undefined;
    options.onFailed?.(error);
    if (attempt === 0) failingSinceMs = clock.now();
    const isPatient = retry.maxAttempts > 0 && clock.now() - failingSinceMs < patienceMs;
    if (!error.retryable || (attempt >= retry.maxAttempts && !isPatient)) {
      options.onLost(error);
      return;
    }
    const growingMs = backoffDelayMs(attempt++, retry, options.random());
    const delayMs = attempt > retry.maxAttempts ? Math.min(growingMs, longestDelayMs) : growingMs;
    const facts = { what, error, code: error.code, attempt, delayMs };
    if (attempt === 1) logger.warn(facts, "a provider's connection was lost, opening another");
    // At debug level, because during an outage each conversation of a host makes twenty more attempts.
    else logger.debug(facts, "a provider's connection is still lost, opening another");
    const cancel = clock.setTimer(delayMs, start);
    closed.addEventListener("abort", cancel, { once: true });
  }

  return {
    start,
    opened() {
      openedAtMs = clock.now();
    },
    lost,
  };
}

/**
 * Calls to a service that may fail: retried with backoff and jitter, and not made at all while it is known to be down.
 * One `Upstream` stands for one thing that fails as a whole (a deployment, a region) and is shared by every session.
 */
import {
  CircuitState,
  ConsecutiveBreaker,
  DelegateBackoff,
  circuitBreaker,
  handleWhen,
  isBrokenCircuitError,
  retry,
  wrap,
} from "cockatiel";
import { backoffDelayMs } from "./backoff.ts";
import type { RetrySettings } from "./backoff.ts";
import { UpstreamAccessError, VoiceError } from "./errors.ts";
import type { ErrorCode } from "./errors.ts";
import type { Logger } from "./logger.ts";
import { unlessAborted } from "./unless-aborted.ts";

export type UpstreamHealth = {
  /** `unknown`: it has answered nothing lately, and no failure is recent. */
  readonly status: "unknown" | "healthy" | "probing" | "down";
  readonly lastErrorCode?: ErrorCode | undefined;
  /** The last error's text for operators, if it had one. */
  readonly lastReason?: string | undefined;
};

export type UpstreamOptions = {
  /** For logs and metrics, for instance `openai gpt-4o`. */
  readonly name: string;
  readonly retry: RetrySettings;
  readonly logger: Logger;
  /** Between 0 and 1; only tests give their own. */
  readonly random?: () => number;
};

export interface Upstream {
  /**
   * Resolves with the first successful attempt. Rejects with the last `VoiceError`, immediately with one that is not retryable, and with
   * the signal's reason as soon as it is aborted, even between attempts. A result that an attempt delivers after that is passed to
   * `discard`, so that nothing it opened stays open.
   */
  run<T>(attempt: (signal: AbortSignal) => Promise<T>, signal: AbortSignal, discard?: (value: T) => void): Promise<T>;
  health(): UpstreamHealth;
}

/** If the service asks to wait for longer than this, failing over is better, because a listener hears the pause. */
const longestWaitMs = 2_000;
const failuresUntilDown = 5;
const probeAfterMs = 10_000;
/**
 * For this long after all attempts of a call have failed, the service is reported as down, unless it has responded since: the circuit
 * breaker would need a second failing call to open. The time is limited, because there may be no further call.
 */
const reportedForMs = 30_000;
/** For this long after it has answered, the service is reported as healthy; then nobody knows. */
const answerCountsForMs = 300_000;

export function createUpstream({ name, retry: settings, logger, random = Math.random }: UpstreamOptions): Upstream {
  let lastErrorCode: ErrorCode | undefined;
  let lastReason: string | undefined;
  /**
   * This does not open the circuit, because a newly granted role must take effect at once, but the service is not reported as healthy
   * either.
   */
  let isShutOut = false;
  let failedAtMs = -Infinity;
  let answeredAtMs = -Infinity;
  const breaker = circuitBreaker(
    handleWhen((error) => error instanceof VoiceError && error.retryable),
    { halfOpenAfter: probeAfterMs, breaker: new ConsecutiveBreaker(failuresUntilDown) },
  );
  breaker.onBreak(() =>
    logger.warn({ upstream: name, code: lastErrorCode, reason: lastReason }, "upstream is down, calls are held back"),
  );
  breaker.onReset(() => logger.info({ upstream: name }, "upstream is back"));

  const retrying = retry(
    handleWhen((error) => isWorthAnotherTry(error)),
    {
      maxAttempts: settings.maxAttempts,
      backoff: new DelegateBackoff((context) => {
        const asked = "error" in context.result ? retryAfterMs(context.result.error) : undefined;
        return asked ?? Math.min(backoffDelayMs(context.attempt - 1, settings, random()), longestWaitMs);
      }),
    },
  );
  const policy = wrap(retrying, breaker);

  function statusNow(): UpstreamHealth["status"] {
    if (isShutOut || Date.now() - failedAtMs < reportedForMs) return "down";
    if (breaker.state === CircuitState.HalfOpen) return "probing";
    if (breaker.state !== CircuitState.Closed) return "down";
    return Date.now() - answeredAtMs < answerCountsForMs ? "healthy" : "unknown";
  }

  return {
    async run(attempt, signal, discard = () => undefined) {
      signal.throwIfAborted();
      // While one call probes, cockatiel would queue the others behind it, and a caller on the phone cannot wait for
      // that.
      if (breaker.state === CircuitState.HalfOpen) throw heldBack(name, lastErrorCode, lastReason);
      const calls = policy.execute(async () => {
        signal.throwIfAborted();
        try {
          const value = await attempt(signal);
          isShutOut = false;
          failedAtMs = -Infinity;
          answeredAtMs = Date.now();
          return value;
        } catch (error) {
          isShutOut = error instanceof UpstreamAccessError;
          // A service that refuses a request for what it contains has answered.
          if (error instanceof VoiceError) answeredAtMs = error.retryable ? -Infinity : Date.now();
          if (error instanceof VoiceError) ({ code: lastErrorCode, reason: lastReason } = error);
          throw error;
        }
      });
      try {
        // The policy's waits do not end when the signal is aborted, but the caller's wait does.
        return await unlessAborted(calls, signal, discard);
      } catch (error) {
        if (isBrokenCircuitError(error)) throw heldBack(name, lastErrorCode, lastReason);
        if (error instanceof VoiceError && error.retryable) failedAtMs = Date.now();
        throw error;
      }
    },
    health: () => ({
      status: statusNow(),
      lastErrorCode,
      ...(lastReason !== undefined && { lastReason }),
    }),
  };
}

/**
 * Has the code and the reason of the failures that opened the circuit, so that an exhausted quota, for example, is still reported as
 * such.
 */
function heldBack(name: string, code: ErrorCode = "upstream_unavailable", reason?: string): VoiceError {
  return new VoiceError(code, `${name} failed repeatedly and is held back`, {
    retryAfterMs: probeAfterMs,
    reason,
  });
}

function isWorthAnotherTry(error: unknown): boolean {
  return error instanceof VoiceError && error.retryable && (error.retryAfterMs ?? 0) <= longestWaitMs;
}

function retryAfterMs(error: Error): number | undefined {
  return error instanceof VoiceError ? error.retryAfterMs : undefined;
}

/** Exponential backoff as RETRY_MAX_ATTEMPTS, RETRY_BACKOFF_FACTOR and RETRY_JITTER describe it. Pure. */

export interface RetrySettings {
  /** Retries after the first attempt. */
  readonly maxAttempts: number;
  readonly backoffFactor: number;
  /** Spreads each delay over its upper half, so that many clients do not come back at once. */
  readonly jitter: boolean;
}

const firstDelayMs = 100;
const longestDelayMs = 10_000;

/** `attempt` counts from 0; `random` is uniform in [0, 1). */
export function backoffDelayMs(
  attempt: number,
  settings: Pick<RetrySettings, "backoffFactor" | "jitter">,
  random: number,
): number {
  const delayMs = Math.min(longestDelayMs, firstDelayMs * settings.backoffFactor ** attempt);
  return settings.jitter ? delayMs * (0.5 + random / 2) : delayMs;
}

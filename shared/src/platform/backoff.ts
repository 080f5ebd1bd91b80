/** How long to wait before the next attempt: longer each time, up to a limit. Pure. */

export interface GrowingDelay {
  readonly firstMs: number;
  readonly longestMs: number;
  /** The factor by which the delay grows; 2 if absent. */
  readonly factor?: number;
}

/** `attempt` counts from 0. */
export function growingDelayMs(attempt: number, { firstMs, longestMs, factor = 2 }: GrowingDelay): number {
  return Math.min(longestMs, firstMs * factor ** attempt);
}

/** A retry policy, as RETRY_MAX_ATTEMPTS, RETRY_BACKOFF_FACTOR and RETRY_JITTER describe it. */
export interface RetrySettings {
  /** Retries after the first attempt. */
  readonly maxAttempts: number;
  readonly backoffFactor: number;
  /** Randomises each delay within its upper half, so that many clients do not retry at the same moment. */
  readonly jitter: boolean;
}

const upstreamDelay = { firstMs: 100, longestMs: 10_000 };

/** `attempt` counts from 0; `random` is uniform in [0, 1). */
export function backoffDelayMs(
  attempt: number,
  settings: Pick<RetrySettings, "backoffFactor" | "jitter">,
  random: number,
): number {
  const delayMs = growingDelayMs(attempt, { ...upstreamDelay, factor: settings.backoffFactor });
  return settings.jitter ? delayMs * (0.5 + random / 2) : delayMs;
}

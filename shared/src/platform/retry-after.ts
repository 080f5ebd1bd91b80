/** The value of `Retry-After` for HTTP responses and refused upgrades: how long until a retry may succeed. */
import type { ErrorCode } from "./errors.ts";

/** Used if the error itself has no value. */
const defaultWaitsMs: Readonly<Partial<Record<ErrorCode, number>>> = {
  // A lost connection to the store is retried at least every two seconds.
  cache_connection_failed: 2000,
  // A host that is ready again, or has free capacity again, reports it in its next heartbeat.
  dependency_not_ready: 5000,
  // Vendors count quotas per minute, or per ten seconds.
  rate_limited: 10_000,
  speech_quota_exceeded: 10_000,
};

const otherWaitMs = 5000;

/** In whole seconds, rounded up, because a client that retries too early is refused again. */
export function retryAfterSeconds(code: ErrorCode, requestedMs?: number): number {
  return Math.max(1, Math.ceil((requestedMs ?? defaultWaitsMs[code] ?? otherWaitMs) / 1000));
}

/** What `Retry-After` says, on HTTP answers and refused upgrades alike: how long it takes until another try may succeed. */
import type { ErrorCode } from "./errors.ts";

/** Where the error does not say it itself. */
const usualWaitsMs: Readonly<Partial<Record<ErrorCode, number>>> = {
  // A lost connection to the store is tried again at least every two seconds.
  cache_connection_failed: 2000,
  // A host that has become ready, or has a place again, says so in its next heartbeat.
  dependency_not_ready: 5000,
  // Quotas of vendors are counted by the minute, or by sixths of it.
  rate_limited: 10_000,
  speech_quota_exceeded: 10_000,
};

const otherWaitMs = 5000;

/** In whole seconds, rounded up: who comes too early is refused again. */
export function retryAfterSeconds(code: ErrorCode, askedMs?: number): number {
  return Math.max(1, Math.ceil((askedMs ?? usualWaitsMs[code] ?? otherWaitMs) / 1000));
}

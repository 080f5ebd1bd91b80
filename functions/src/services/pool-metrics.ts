/** A pool of warm provider clients in the API's format. */
import type { PoolMetrics } from "@voice/shared/contracts/http/health";
import type { PoolStatus } from "@voice/shared/state/ports/host-registry";

export function poolMetrics(name: string, pool: PoolStatus): PoolMetrics {
  return {
    name,
    ready: pool.ready,
    warm_pool_size: pool.warmSize,
    warm_pool_target: pool.warmTarget,
    active_sessions: pool.activeSessions,
    // A client belongs to one session from lease to release, and is never kept for the next.
    session_awareness: true,
    allocations_total: pool.allocationsTotal,
    allocations_dedicated: 0,
    allocations_warm: pool.allocationsWarm,
    allocations_cold: pool.allocationsCold,
    warmup_cycles: pool.warmupCycles,
    warmup_failures: pool.warmupFailures,
    background_warmup: pool.warmTarget > 0,
  };
}

import type { Clock } from "../../platform/clock.ts";
import { fitsAuditQuery, mostAuditRecords, type AuditRecord, type AuditStore } from "../ports/audit-store.ts";

export function createMemoryAuditStore(clock: Pick<Clock, "wallNow">): AuditStore {
  let kept: readonly { readonly record: AuditRecord; readonly untilMs: number }[] = [];
  const living = () => {
    const nowMs = clock.wallNow();
    return kept.filter(({ untilMs }) => untilMs > nowMs);
  };
  return {
    async append(record, lifeSpanMs) {
      kept = [...living(), { record, untilMs: clock.wallNow() + lifeSpanMs }].slice(-mostAuditRecords);
    },
    async list(query) {
      const fitting = living().filter(({ record }) => fitsAuditQuery(record, query));
      return fitting
        .map(({ record }) => record)
        .toReversed()
        .slice(0, query.limit);
    },
  };
}

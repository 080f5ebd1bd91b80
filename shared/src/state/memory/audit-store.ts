import type { Clock } from "../../platform/clock.ts";
import {
  fitsAuditQuery,
  mostAuditRecords,
  type AuditQuery,
  type AuditRecord,
  type AuditStore,
} from "../ports/audit-store.ts";

export class MemoryAuditStore implements AuditStore {
  readonly #clock: Pick<Clock, "wallNow">;
  #kept: readonly { readonly record: AuditRecord; readonly untilMs: number }[] = [];

  constructor(clock: Pick<Clock, "wallNow">) {
    this.#clock = clock;
  }

  async append(record: AuditRecord, lifeSpanMs: number): Promise<void> {
    const untilMs = this.#clock.wallNow() + lifeSpanMs;
    this.#kept = [...this.#living(), { record, untilMs }].slice(-mostAuditRecords);
  }

  async list(query: AuditQuery): Promise<readonly AuditRecord[]> {
    const fitting = this.#living().filter(({ record }) => fitsAuditQuery(record, query));
    return fitting
      .map(({ record }) => record)
      .toReversed()
      .slice(0, query.limit);
  }

  #living() {
    const nowMs = this.#clock.wallNow();
    return this.#kept.filter(({ untilMs }) => untilMs > nowMs);
  }
}

import { describe, expect, it } from "vitest";
import type { AuditRecord } from "./audit-store.ts";
import { opened, type OpenState } from "./harness.contract.ts";
import { dayMs } from "../../platform/day.ts";

export function describeAuditStore(open: OpenState): void {
  describe("audit store", () => {
    const entry = (nowMs: number, more: Partial<AuditRecord>): AuditRecord => ({
      atMs: nowMs,
      action: "sessionsGet",
      what: {},
      outcome: "done",
      status: 200,
      ...more,
    });

    it("lists the newest first, by who did it and to what, and before a time", async () => {
      const { state, nowMs, elapse } = await opened(open);
      const first = entry(nowMs(), { subject: "ann", what: { session_id: "s-1" }, requestId: "r-1", from: "10.0.0.1" });
      await state.audit.append(first, dayMs);
      await elapse(5);
      const second = entry(nowMs(), { subject: "ben", what: { session_id: "s-2" } });
      await state.audit.append(second, dayMs);
      const third = entry(nowMs(), { outcome: "refused", status: 401, what: { call_id: "s-1" } });
      await state.audit.append(third, dayMs);
      expect(await state.audit.list({ limit: 10 })).toEqual([third, second, first]);
      expect(await state.audit.list({ limit: 1 })).toEqual([third]);
      expect(await state.audit.list({ subject: "ann", limit: 10 })).toEqual([first]);
      expect(await state.audit.list({ about: "s-1", limit: 10 })).toEqual([third, first]);
      expect(await state.audit.list({ beforeMs: second.atMs, limit: 10 })).toEqual([first]);
    });

    it("reads on through more records than it reads at once", async () => {
      const { state, nowMs } = await opened(open);
      const writes = Array.from({ length: 1100 }, (_, index) =>
        state.audit.append(entry(nowMs(), { subject: index === 0 ? "ann" : "ben" }), dayMs),
      );
      await Promise.all(writes);
      expect(await state.audit.list({ subject: "ann", limit: 10 })).toHaveLength(1);
    });

    it("forgets records when their life is over", async () => {
      const { state, nowMs, elapse, lasting } = await opened(open);
      await state.audit.append(entry(nowMs(), { subject: "ann" }), lasting(50));
      await elapse(100);
      expect(await state.audit.list({ limit: 10 })).toEqual([]);
    });
  });
}

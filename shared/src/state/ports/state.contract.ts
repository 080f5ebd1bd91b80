/** The contract that every implementation of the state must fulfil. */
import { describe, expect, it } from "vitest";
import { describeAuditStore } from "./audit-store.contract.ts";
import { describeBroadcasts } from "./broadcasts.contract.ts";
import { describeCallOperations } from "./call-operations.contract.ts";
import { describeCallPlaces } from "./call-places.contract.ts";
import { describeCallStore } from "./call-store.contract.ts";
import { describeConversationTable } from "./conversation-table.contract.ts";
import { describeDeadlines } from "./deadlines.contract.ts";
import { describeEventBus } from "./event-bus.contract.ts";
import { closeWithTheirTests, opened, type OpenState } from "./harness.contract.ts";
import { describeHourlyCounts } from "./hourly-counts.contract.ts";
import { describeReleaseStore } from "./release-store.contract.ts";
import { describeKeepAlive } from "./keep-alive.contract.ts";
import { describeLiveUpdates } from "./live-updates.contract.ts";
import { describeRuntimeCatalog } from "./runtime-catalog.contract.ts";
import { describeSessionClaims } from "./session-claim.contract.ts";
import { describeSessionLog } from "./session-log.contract.ts";
import { describeSessionReuse } from "./session-reuse.contract.ts";
import { describeSessionStore } from "./session-store.contract.ts";
import { describeSessionUsage } from "./session-usage.contract.ts";
import { describeSmallStores } from "./small-stores.contract.ts";
import { describeTenants } from "./tenants.contract.ts";
import { describeToldChanges } from "./told-changes.contract.ts";
import { describeWorkQueue } from "./work-queue.contract.ts";

export function describeState(open: OpenState): void {
  closeWithTheirTests();
  describeSessionStore(open);
  describeSessionClaims(open);
  describeSessionReuse(open);
  describeKeepAlive(open);
  describeSessionUsage(open);
  describeTenants(open);
  describeConversationTable(open);
  describeHourlyCounts(open);
  describeReleaseStore(open);
  describeSessionLog("flight log", open, ({ flightLog }) => flightLog);
  describeSessionLog("message log", open, ({ messageLog }) => messageLog);
  describeSessionLog("request log", open, ({ requestLog }) => requestLog);
  describeCallStore(open);
  describeCallOperations(open);
  describeCallPlaces(open);
  describeRuntimeCatalog(open);
  describeToldChanges(open);
  describeSmallStores(open);
  describeAuditStore(open);
  describeLiveUpdates(open);
  describeBroadcasts(open);
  describeEventBus(open);
  describeDeadlines(open);
  describeWorkQueue(open);

  describe("state", () => {
    it("tells the time, which goes on", async () => {
      const { state, nowMs, elapse } = await opened(open);
      const firstMs = await state.time();
      expect(Math.abs(firstMs - nowMs())).toBeLessThan(5000);
      await elapse(20);
      expect((await state.time()) - firstMs).toBeGreaterThanOrEqual(19);
    });

    it("answers a ping with its latency, and closes twice without complaint", async () => {
      const { state } = await opened(open);
      expect((await state.ping()).latencyMs).toBeGreaterThanOrEqual(0);
      await state.close();
      await state.close();
    });
  });
}

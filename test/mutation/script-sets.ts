/** Which tests may notice a change to the scripts of a file: parts of the state's contract, and files of tests with a server of their own. */
import { describeAuditStore } from "@voice/shared/state/ports/audit-store.contract";
import { describeCallOperations } from "@voice/shared/state/ports/call-operations.contract";
import { describeCallPlaces } from "@voice/shared/state/ports/call-places.contract";
import { describeCallStore } from "@voice/shared/state/ports/call-store.contract";
import { describeConversationTable } from "@voice/shared/state/ports/conversation-table.contract";
import { describeDeadlines } from "@voice/shared/state/ports/deadlines.contract";
import { describeEventBus } from "@voice/shared/state/ports/event-bus.contract";
import type { OpenState } from "@voice/shared/state/ports/harness.contract";
import { describeHourlyCounts } from "@voice/shared/state/ports/hourly-counts.contract";
import { describeKeepAlive } from "@voice/shared/state/ports/keep-alive.contract";
import { describeReleaseStore } from "@voice/shared/state/ports/release-store.contract";
import { describeRuntimeCatalog } from "@voice/shared/state/ports/runtime-catalog.contract";
import { describeSessionClaims } from "@voice/shared/state/ports/session-claim.contract";
import { describeSessionLog } from "@voice/shared/state/ports/session-log.contract";
import { describeSessionReuse } from "@voice/shared/state/ports/session-reuse.contract";
import { describeSessionStore } from "@voice/shared/state/ports/session-store.contract";
import { describeSessionUsage } from "@voice/shared/state/ports/session-usage.contract";
import { describeSmallStores } from "@voice/shared/state/ports/small-stores.contract";
import { describeTenants } from "@voice/shared/state/ports/tenants.contract";
import { describeWorkQueue } from "@voice/shared/state/ports/work-queue.contract";

type DescribeContract = (open: OpenState) => void;

const describeLog: DescribeContract = (open) => describeSessionLog("message log", open, ({ messageLog }) => messageLog);
const ofSessions = [describeSessionStore, describeSessionReuse, describeKeepAlive];

const contracts: Readonly<Record<string, readonly DescribeContract[]>> = {
  "audit-store": [describeAuditStore],
  "call-operations": [describeCallOperations],
  "call-scripts": [describeCallStore, describeTenants],
  "conversation-scripts": [describeConversationTable],
  "event-scripts": [describeEventBus],
  "hash-record": [describeCallStore, describeSessionStore, describeSmallStores],
  holders: [describeSmallStores, describeCallPlaces],
  "host-registry": [describeSmallStores],
  "hourly-counts": [describeHourlyCounts],
  "index-upkeep": [describeCallStore, ...ofSessions],
  "keyed-records": [describeSmallStores, describeReleaseStore],
  "media-session-store": [describeSmallStores, describeKeepAlive],
  "record-groups": [describeRuntimeCatalog],
  "session-lists": ofSessions,
  "session-log": [describeLog],
  "session-scripts": [...ofSessions, describeSessionClaims, describeSessionUsage, describeLog],
  "work-queue": [describeDeadlines, describeWorkQueue],
};

const leftovers = "integration/redis-leftovers";
const cost = "integration/redis-cost";
const files: Readonly<Record<string, readonly string[]>> = {
  "call-scripts": [leftovers, cost],
  "conversation-scripts": [leftovers],
  "event-scripts": [leftovers, "integration/event-delivery"],
  "host-registry": [leftovers],
  "index-upkeep": [cost],
  "session-lists": [cost],
  "session-log": [leftovers],
  "session-scripts": [leftovers, cost],
  "work-queue": [leftovers],
};

export const filesOf = (name: string): readonly string[] => files[name] ?? [];

export function contractsOf(name: string): readonly DescribeContract[] {
  const found = contracts[name];
  if (found === undefined) throw new Error(`name a file with scripts: ${Object.keys(contracts).join(", ")}`);
  return found;
}

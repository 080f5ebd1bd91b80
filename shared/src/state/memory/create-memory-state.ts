/** The whole state in the memory of one process: for the local start and for tests. */
import type { Clock } from "../../platform/clock.ts";
import { silentLogger, type Logger } from "../../platform/logger.ts";
import { defaultRetryPolicy, type RetryPolicy } from "../event-worker.ts";
import { defaultLifeSpans, type LifeSpans } from "../life-spans.ts";
import type { SessionPiece } from "../ports/session-log.ts";
import type { State } from "../ports/state.ts";
import { ChangeCounts } from "../change-counts.ts";
import { createRecordStores } from "../records/record-stores.ts";
import type { AnnounceChange } from "../records/session-documents.ts";
import { createMemoryAuditStore } from "./audit-store.ts";
import { createMemoryBroadcasts } from "./broadcasts.ts";
import { createMemoryCallOperations } from "./call-operations.ts";
import { createMemoryCallStore } from "./call-store.ts";
import { createMemoryConversationTable } from "./conversation-table.ts";
import { createMemoryEventBus } from "./event-bus.ts";
import { ExpiringMap } from "./expiring-map.ts";
import { createMemoryHolders } from "./holders.ts";
import { createMemoryHostRegistry } from "./host-registry.ts";
import { createMemoryHourlyCounts } from "./hourly-counts.ts";
import { createMemoryKeyedRecords } from "./keyed-records.ts";
import { createMemoryLiveUpdates } from "./live-updates.ts";
import { createMemoryMediaSessionStore } from "./media-session-store.ts";
import { createMemoryRecordGroups } from "./record-groups.ts";
import { SessionScope } from "./session-scope.ts";
import { createMemorySessionLog } from "./session-log.ts";
import { createMemorySessionStore } from "./session-store.ts";
import { createMemoryWorkQueue } from "./work-queue.ts";

export interface MemoryStateOptions {
  readonly clock: Clock;
  readonly logger?: Logger;
  readonly lifeSpans?: Partial<LifeSpans>;
  readonly retry?: Partial<RetryPolicy>;
}

export function createMemoryState(options: MemoryStateOptions): State {
  const { clock, logger = silentLogger } = options;
  const lifeSpans = { ...defaultLifeSpans, ...options.lifeSpans };
  const scope = new SessionScope(clock, lifeSpans.sessionMs);
  const retry = { ...defaultRetryPolicy, ...options.retry };
  const events = createMemoryEventBus(clock, logger, retry, lifeSpans.eventMs);
  const callOperations = createMemoryCallOperations(clock, lifeSpans.callMs);
  const changes = new ChangeCounts();
  const announceChange: AnnounceChange = async (sessionId) => changes.add(sessionId);
  const logMessages = (sessionId: string, { piece, keep }: SessionPiece): void => {
    void messageLog.append(sessionId, piece, keep);
  };
  const sessions = createMemorySessionStore(scope, lifeSpans.tombstoneMs, logMessages, announceChange);
  const messageLog = createMemorySessionLog(scope, sessions);
  const ofSession = () => createMemoryRecordGroups(scope.map(), scope.lifeSpanMs);
  return {
    kind: "memory",
    ...createRecordStores({
      clock,
      records: createMemoryKeyedRecords(clock),
      holders: createMemoryHolders(clock),
      callOperations,
      agents: ofSession(),
      scenarios: ofSession(),
      overrides: createMemoryRecordGroups(new ExpiringMap(clock), lifeSpans.overrideMs),
      results: createMemorySessionLog(scope, sessions),
      deliveries: createMemoryWorkQueue(clock, lifeSpans.eventMs),
      announceChange,
    }),
    changes: { markOf: (sessionId) => changes.sumOf(sessionId) },
    sessions,
    hourlyCounts: createMemoryHourlyCounts(clock),
    conversations: createMemoryConversationTable(clock, lifeSpans),
    flightLog: createMemorySessionLog(scope, sessions),
    messageLog,
    requestLog: createMemorySessionLog(scope, sessions),
    calls: createMemoryCallStore(clock, lifeSpans.callMs),
    callOperations,
    callStreams: createMemoryWorkQueue(clock, lifeSpans.callMs),
    callChecks: createMemoryWorkQueue(clock, lifeSpans.callMs),
    mediaSessions: createMemoryMediaSessionStore(clock, lifeSpans),
    audit: createMemoryAuditStore(clock),
    hosts: createMemoryHostRegistry(clock),
    events,
    liveUpdates: createMemoryLiveUpdates(logger),
    broadcasts: createMemoryBroadcasts(logger),
    ping: async () => ({ latencyMs: 0 }),
    time: async () => clock.wallNow(),
    async close() {
      await events.close();
      callOperations.close();
    },
  };
}

/** The whole state in the memory of one process: for the local start and for tests. */
import type { Clock } from "../../platform/clock.ts";
import { silentLogger, type Logger } from "../../platform/logger.ts";
import { defaultRetryPolicy, type RetryPolicy } from "../event-worker.ts";
import { defaultLifeSpans, type LifeSpans } from "../life-spans.ts";
import type { State } from "../ports/state.ts";
import { MemoryAuditStore } from "./audit-store.ts";
import { MemoryAgentStore } from "./agent-store.ts";
import { MemoryFileStore } from "./file-store.ts";
import { MemoryBroadcasts } from "./broadcasts.ts";
import { MemoryCallDeadlines } from "./call-deadlines.ts";
import { MemoryCounterStore } from "./counter-store.ts";
import { MemoryCallOperations } from "./call-operations.ts";
import { MemoryCallPlaces } from "./call-places.ts";
import { MemoryCallStore } from "./call-store.ts";
import { MemoryEventBus } from "./event-bus.ts";
import { MemoryFlightLog } from "./flight-log.ts";
import { MemoryHostRegistry } from "./host-registry.ts";
import { MemoryLiveUpdates } from "./live-updates.ts";
import { MemoryMediaSessionStore } from "./media-session-store.ts";
import { MemoryIdempotencyStore } from "./idempotency-store.ts";
import { MemoryNonceStore } from "./nonce-store.ts";
import { MemoryProfileStore } from "./profile-store.ts";
import { MemorySessionDocuments } from "./session-documents.ts";
import { SessionScope } from "./session-scope.ts";
import { MemorySessionStore } from "./session-store.ts";
import { MemoryTicketStore } from "./ticket-store.ts";
import { MemoryWebhookOutbox } from "./webhook-outbox.ts";

export interface MemoryStateOptions {
  readonly clock: Clock;
  readonly logger?: Logger;
  readonly lifeSpans?: Partial<LifeSpans>;
  readonly retry?: Partial<RetryPolicy>;
}

const closeBoundMs = 5000;

export function createMemoryState(options: MemoryStateOptions): State {
  const { clock, logger = silentLogger } = options;
  const lifeSpans = { ...defaultLifeSpans, ...options.lifeSpans };
  const scope = new SessionScope(clock, lifeSpans.sessionMs);
  const events = new MemoryEventBus({
    clock,
    logger,
    closeBoundMs,
    eventMs: lifeSpans.eventMs,
    retry: { ...defaultRetryPolicy, ...options.retry },
  });
  const callOperations = new MemoryCallOperations(clock, lifeSpans.callMs);
  const liveUpdates = new MemoryLiveUpdates(logger);
  const sessions = new MemorySessionStore(scope, lifeSpans.tombstoneMs);
  return {
    kind: "memory",
    sessions,
    flightLog: new MemoryFlightLog(scope, sessions),
    calls: new MemoryCallStore(clock, lifeSpans.callMs),
    callOperations,
    callStreams: new MemoryCallDeadlines(clock),
    callChecks: new MemoryCallDeadlines(clock),
    callPlaces: new MemoryCallPlaces(clock),
    announcements: new MemoryFileStore(clock),
    spokenWords: new MemoryFileStore(clock),
    agents: new MemoryAgentStore(scope, lifeSpans.overrideMs),
    scenarios: new MemorySessionDocuments(scope),
    profiles: new MemoryProfileStore(clock),
    mediaSessions: new MemoryMediaSessionStore(clock, lifeSpans),
    tickets: new MemoryTicketStore(clock),
    nonces: new MemoryNonceStore(clock),
    counters: new MemoryCounterStore(clock),
    keyedRequests: new MemoryIdempotencyStore(clock),
    audit: new MemoryAuditStore(clock),
    hosts: new MemoryHostRegistry(clock),
    events,
    webhooks: new MemoryWebhookOutbox(clock, lifeSpans.eventMs),
    liveUpdates,
    broadcasts: new MemoryBroadcasts(logger),
    ping: async () => ({ latencyMs: 0 }),
    time: async () => clock.wallNow(),
    async close() {
      await events.close();
      callOperations.close();
      await liveUpdates.close();
    },
  };
}

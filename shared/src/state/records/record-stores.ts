/** All of the state that is the same on whatever store: small records, and what is due. */
import type { Clock } from "../../platform/clock.ts";
import type { CallOperations } from "../ports/call-operations.ts";
import type { Holders } from "../ports/holders.ts";
import type { KeyedRecords } from "../ports/keyed-records.ts";
import type { RecordGroups } from "../ports/record-groups.ts";
import type { SessionLog } from "../ports/session-log.ts";
import type { WorkQueue } from "../ports/work-queue.ts";
import { createBacklogReader } from "../work/backlog.ts";
import { afterCallLane, createDueConversations } from "../work/due-conversations.ts";
import { createWebhookDeliveries } from "../work/webhook-deliveries.ts";
import { createAfterCallStore } from "./after-call-store.ts";
import { createAgentStore } from "./agent-store.ts";
import { createCallPlaces } from "./call-places.ts";
import { createCounterStore } from "./counter-store.ts";
import { createFileStore } from "./file-store.ts";
import { createIdempotencyStore } from "./idempotency-store.ts";
import { createNonceStore } from "./nonce-store.ts";
import { createProfileStore } from "./profile-store.ts";
import { createReleaseStore } from "./release-store.ts";
import { createSessionDocuments, type AnnounceChange } from "./session-documents.ts";
import { createTelephoneLines } from "./telephone-lines.ts";
import { createTicketStore } from "./ticket-store.ts";

export interface RecordEngines {
  readonly clock: Clock;
  readonly records: KeyedRecords;
  readonly holders: Holders;
  readonly callOperations: CallOperations;
  /** Groups of one session each, which live as long as it. */
  readonly agents: RecordGroups;
  readonly scenarios: RecordGroups;
  readonly overrides: RecordGroups;
  readonly results: SessionLog;
  readonly deliveries: WorkQueue;
  readonly announceChange: AnnounceChange;
}

export type RecordStores = Readonly<ReturnType<typeof createRecordStores>>;

export function createRecordStores(engines: RecordEngines) {
  const { clock, records, holders, callOperations, agents, scenarios, overrides } = engines;
  const { results, deliveries, announceChange } = engines;
  return {
    agents: createAgentStore(createSessionDocuments(agents, clock, announceChange), overrides, clock, announceChange),
    /** Scenarios made by the scenario builder, each visible to one session. Built-in ones come from the catalog. */
    scenarios: createSessionDocuments(scenarios, clock, announceChange),
    profiles: createProfileStore(records, clock),
    /** What was published over the files of the catalog. */
    releases: createReleaseStore(records, clock),
    tickets: createTicketStore(records, clock),
    nonces: createNonceStore(records),
    counters: createCounterStore(records, holders),
    /** Places reserved for calls that are being set up. */
    callPlaces: createCallPlaces(holders),
    /** The instructions for telephone services that request them. */
    telephoneLines: createTelephoneLines(records, callOperations),
    /** Requests that clients may repeat. */
    keyedRequests: createIdempotencyStore(records),
    /**
     * WAV files of announcements that the communication service itself plays to a call; it fetches them by name from the
     * functions app.
     */
    announcements: createFileStore(records, "announcement"),
    /** Synthesised audio of greetings and other fixed phrases, shared by all hosts. */
    spokenWords: createFileStore(records, "spoken"),
    /** What came of conversations that are over. */
    afterCalls: createAfterCallStore(results),
    /** The webhook deliveries that have not been made yet. */
    webhooks: createWebhookDeliveries(deliveries),
    /** How much of these three waits. */
    backlog: createBacklogReader(deliveries),
    /** Conversations that have ended. */
    toArchive: createDueConversations(deliveries),
    /** Conversations that have ended and whose notes have not been made yet. */
    toNote: createDueConversations(deliveries, afterCallLane),
  };
}

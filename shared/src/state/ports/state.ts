/** All of the shared state in one object, as a composition root makes it. */
import type { AfterCallStore } from "../records/after-call-store.ts";
import type { AgentStore } from "../records/agent-store.ts";
import type { Deadlines } from "./work-queue.ts";
import type { AuditStore } from "./audit-store.ts";
import type { Broadcasts } from "./broadcasts.ts";
import type { CounterStore } from "../records/counter-store.ts";
import type { CallOperations } from "./call-operations.ts";
import type { CallPlaces } from "../records/call-places.ts";
import type { CallStore } from "./call-store.ts";
import type { ConversationTable } from "./conversation-table.ts";
import type { EventBus } from "./event-bus.ts";
import type { FileStore } from "../records/file-store.ts";
import type { HourlyCounts } from "./hourly-counts.ts";
import type { HostRegistry } from "./host-registry.ts";
import type { IdempotencyStore } from "../records/idempotency-store.ts";
import type { LiveUpdates } from "./live-updates.ts";
import type { MediaSessionStore } from "./media-session-store.ts";
import type { NonceStore } from "../records/nonce-store.ts";
import type { ProfileStore } from "../records/profile-store.ts";
import type { ReleaseStore } from "../records/release-store.ts";
import type { SessionDocuments } from "../records/session-documents.ts";
import type { SessionLog } from "./session-log.ts";
import type { SessionStore } from "./session-store.ts";
import type { ToldChanges } from "./told-changes.ts";
import type { TelephoneLines } from "../records/telephone-lines.ts";
import type { TicketStore } from "../records/ticket-store.ts";
import type { DueConversations } from "../work/due-conversations.ts";
import type { WebhookDeliveries } from "../work/webhook-deliveries.ts";

export interface State {
  readonly kind: "memory" | "redis";
  readonly sessions: SessionStore;
  /** What lists of conversations are answered from. */
  readonly conversations: ConversationTable;
  /** What overviews of days and weeks are made from. */
  readonly hourlyCounts: HourlyCounts;
  /** The turn machine's events and decisions, to diagnose what went wrong. */
  readonly flightLog: SessionLog;
  /** What those who watched were sent, to follow a conversation afterwards as it was. */
  readonly messageLog: SessionLog;
  /** What models were sent. */
  readonly requestLog: SessionLog;
  /** What came of conversations that are over. */
  readonly afterCalls: AfterCallStore;
  readonly calls: CallStore;
  readonly callOperations: CallOperations;
  /** Which host has each connected call's stream, and deadlines for calls whose stream is lost. */
  readonly callStreams: Deadlines;
  /** When to ask the service for the state of a connected call about which it has sent no events for long. */
  readonly callChecks: Deadlines;
  /** Places reserved for calls that are being set up. */
  readonly callPlaces: CallPlaces;
  /** What a telephone service that asks for instructions is to do. */
  readonly telephoneLines: TelephoneLines;
  /**
   * WAV files of announcements that the communication service itself plays to a call; it fetches them by name from the
   * functions app.
   */
  readonly announcements: FileStore;
  /** Synthesised audio of greetings and other fixed phrases, shared by all hosts. */
  readonly spokenWords: FileStore;
  readonly agents: AgentStore;
  /** Scenarios made by the scenario builder, each visible to one session. Built-in ones come from the catalog. */
  readonly scenarios: SessionDocuments;
  /** Whether agents, scenarios or the profile of a session may have been changed. */
  readonly changes: ToldChanges;
  /** What was published over the files of the catalog. */
  readonly releases: ReleaseStore;
  readonly profiles: ProfileStore;
  readonly mediaSessions: MediaSessionStore;
  readonly tickets: TicketStore;
  readonly nonces: NonceStore;
  readonly counters: CounterStore;
  /** Requests that clients may repeat. */
  readonly keyedRequests: IdempotencyStore;
  /** Who did what, for operators to look through. */
  readonly audit: AuditStore;
  readonly hosts: HostRegistry;
  readonly events: EventBus;
  /** What other people's servers are still to be told. */
  readonly webhooks: WebhookDeliveries;
  /** Conversations that have ended. */
  readonly toArchive: DueConversations;
  /** The same, of which it is still to be noted what came of them. */
  readonly toNote: DueConversations;
  readonly liveUpdates: LiveUpdates;
  readonly broadcasts: Broadcasts;
  /**
   * Writes to every node of the store, reads it back, and returns how long that took. Rejects with
   * `cache_connection_failed`.
   */
  ping(): Promise<{ readonly latencyMs: number }>;
  /**
   * The time by the store's clock, in milliseconds since the Unix epoch: the same for all processes, whatever their own
   * clocks say (`keepTime`). Rejects with `cache_connection_failed`.
   */
  time(): Promise<number>;
  /** Idempotent and bounded: lets running event handlers finish, then lets go of every connection. */
  close(): Promise<void>;
}

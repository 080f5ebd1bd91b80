/** All of the shared state in one object, as a composition root makes it. */
import type { Deadlines } from "./work-queue.ts";
import type { AuditStore } from "./audit-store.ts";
import type { Broadcasts } from "./broadcasts.ts";
import type { CallOperations } from "./call-operations.ts";
import type { CallStore } from "./call-store.ts";
import type { ConversationTable } from "./conversation-table.ts";
import type { EventBus } from "./event-bus.ts";
import type { HourlyCounts } from "./hourly-counts.ts";
import type { HostRegistry } from "./host-registry.ts";
import type { LiveUpdates } from "./live-updates.ts";
import type { MediaSessionStore } from "./media-session-store.ts";
import type { SessionLog } from "./session-log.ts";
import type { RecordStores } from "../records/record-stores.ts";
import type { SessionStore } from "./session-store.ts";
import type { ToldChanges } from "./told-changes.ts";

export interface State extends RecordStores {
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
  readonly calls: CallStore;
  readonly callOperations: CallOperations;
  /** Which host has each connected call's stream, and deadlines for calls whose stream is lost. */
  readonly callStreams: Deadlines;
  /** When to ask the service for the state of a connected call about which it has sent no events for long. */
  readonly callChecks: Deadlines;
  /** Whether agents, scenarios or the profile of a session may have been changed. */
  readonly changes: ToldChanges;
  readonly mediaSessions: MediaSessionStore;
  /** Records of who did what, for operators. */
  readonly audit: AuditStore;
  readonly hosts: HostRegistry;
  readonly events: EventBus;
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

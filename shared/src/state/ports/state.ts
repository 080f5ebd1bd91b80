/** All of the shared state in one object, as a composition root makes it. */
import type { AgentStore } from "./agent-store.ts";
import type { CallStore } from "./call-store.ts";
import type { EventBus } from "./event-bus.ts";
import type { HostRegistry } from "./host-registry.ts";
import type { LiveUpdates } from "./live-updates.ts";
import type { MediaSessionStore } from "./media-session-store.ts";
import type { NonceStore } from "./nonce-store.ts";
import type { ProfileStore } from "./profile-store.ts";
import type { ScenarioStore } from "./scenario-store.ts";
import type { SessionStore } from "./session-store.ts";
import type { TicketStore } from "./ticket-store.ts";

export interface State {
  readonly kind: "memory" | "redis";
  readonly sessions: SessionStore;
  readonly calls: CallStore;
  readonly agents: AgentStore;
  readonly scenarios: ScenarioStore;
  readonly profiles: ProfileStore;
  readonly mediaSessions: MediaSessionStore;
  readonly tickets: TicketStore;
  readonly nonces: NonceStore;
  readonly hosts: HostRegistry;
  readonly events: EventBus;
  readonly liveUpdates: LiveUpdates;
  /** A round trip to the store and how long it took. Rejects with `cache_connection_failed` when there is none. */
  ping(): Promise<{ readonly latencyMs: number }>;
  /** Idempotent and bounded: lets running event handlers finish, then lets go of every connection. */
  close(): Promise<void>;
}

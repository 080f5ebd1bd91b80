/**
 * Heartbeats of the streaming hosts, so that any functions instance can report on all of them. A host without
 * heartbeats counts as gone after `heartbeatTtlMs`.
 */
import type { StatusBasis } from "../../platform/status-basis.ts";
import type { Channel } from "./session-store.ts";

export const heartbeatPeriodMs = 5000;
/** Three missed heartbeats. */
export const heartbeatTtlMs = 15_000;

export const connectionKinds = ["media", "browser", "telephony", "dashboard"] as const;
export type ConnectionKind = (typeof connectionKinds)[number];

/** A warm pool of provider clients, as `/pools` reports it. */
export interface PoolStatus {
  readonly ready: boolean;
  readonly warmSize: number;
  readonly warmTarget: number;
  readonly activeSessions: number;
  readonly allocationsTotal: number;
  readonly allocationsWarm: number;
  readonly allocationsCold: number;
  readonly warmupCycles: number;
  readonly warmupFailures: number;
}

export const mcpStates = ["disabled", "connecting", "connected", "degraded", "failed"] as const;
export type McpState = (typeof mcpStates)[number];

export interface McpServerStatus {
  readonly name: string;
  readonly state: McpState;
  readonly toolsCount: number;
  readonly error?: string | undefined;
}

export interface ProviderStatus {
  /** `local` or the vendor. */
  readonly name: string;
  readonly healthy: boolean;
  /** Absent for what runs in the host's own process, and from hosts of older versions. */
  readonly basis?: StatusBasis | undefined;
  /** In words, without secrets; only for a provider that is not healthy. */
  readonly error?: string | undefined;
  /** In words: what the service has refused, and what it is sent instead (MODEL-11, RT-1); without anybody's words. */
  readonly learnt?: readonly string[] | undefined;
}

export const providerKinds = ["recogniser", "synthesiser", "languageModel", "realtimeModel", "callControl"] as const;
export type ProviderKind = (typeof providerKinds)[number];

/** A failed request to a service that the host depends on. */
export interface UpstreamFailure {
  /** Such as `recogniser` or `language-model`. */
  readonly part: string;
  readonly code: string;
  /** As in `VoiceError`: without secrets or anybody's text. */
  readonly reason?: string | undefined;
  /** The conversation that noticed it, unless its id was chosen by a client. */
  readonly sessionId?: string | undefined;
  readonly atMs: number;
}

export interface HostHeartbeat {
  readonly hostId: string;
  readonly version: string;
  readonly startedAtMs: number;
  /** Draining: accepts no new sessions and finishes the existing ones. */
  readonly draining: boolean;
  /** Whether warm-up (pools, tool protocol clients) has finished, successfully or not. */
  readonly ready: boolean;
  /** Whether a trace of every turn is written to a collector; absent from hosts of older versions. */
  readonly traces?: boolean | undefined;
  readonly maxSessions: number;
  /** Places in use by conversations and reserved for calls being set up; absent from hosts of older versions. */
  readonly placesTaken?: number | undefined;
  /** Conversations now. */
  readonly sessions: Readonly<Record<Channel, number>>;
  /** Open sockets now. */
  readonly connections: Readonly<Record<ConnectionKind, number>>;
  /** Since the host started. */
  readonly totals: { readonly connected: number; readonly disconnected: number };
  /** The host's event loop delay, and whether it refuses new conversations because of it. */
  readonly eventLoop?: { readonly delayMs: number; readonly isOverloaded: boolean };
  /** The newest, the latest first; absent from hosts of older versions. */
  readonly upstreamFailures?: readonly UpstreamFailure[] | undefined;
  readonly pools: { readonly stt: PoolStatus; readonly tts: PoolStatus };
  readonly mcp: { readonly state: McpState; readonly servers: readonly McpServerStatus[] };
  readonly providers: Readonly<Partial<Record<ProviderKind, ProviderStatus>>>;
}

/** How long a host is remembered that fell silent: as long as a conversation may well go on there. */
export const silentHostTtlMs = 600_000;

/** A host that stopped reporting without saying that it shuts down. It may have died, or have lost only the store, and talk on. */
export interface SilentHost {
  readonly hostId: string;
  /** Conversations, in its last heartbeat. */
  readonly sessions: number;
}

export interface KnownHosts {
  readonly alive: readonly HostHeartbeat[];
  readonly silent: readonly SilentHost[];
}

export interface HostRegistry {
  /**
   * Replaces the host's previous heartbeat. Called every `heartbeatPeriodMs`. Resolves to whether the host was listed until
   * then: false for a new one, and for one that others may have taken for dead.
   */
  beat(heartbeat: HostHeartbeat): Promise<boolean>;
  /** The host is shutting down. */
  remove(hostId: string): Promise<void>;
  /** Hosts that are alive, by host id. */
  list(): Promise<readonly HostHeartbeat[]>;
  /** The same, with those that fell silent within the last `silentHostTtlMs` and have not been removed, from one moment; by host id. */
  listWithSilent(): Promise<KnownHosts>;
}

export function sessionsOf({ sessions }: HostHeartbeat): number {
  return Object.values(sessions).reduce((total, count) => total + count, 0);
}

export function byHostId(a: { readonly hostId: string }, b: { readonly hostId: string }): number {
  return a.hostId < b.hostId ? -1 : 1;
}

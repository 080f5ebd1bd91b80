/**
 * Heartbeats of the streaming hosts, so that any functions instance can report on all of them. A host without
 * heartbeats counts as gone after `heartbeatTtlMs`.
 */
import { z } from "zod";
import { statusBases } from "../../platform/status-basis.ts";
import type { Stored } from "../stored-json.ts";

export const heartbeatPeriodMs = 5000;
/** Three missed heartbeats. */
export const heartbeatTtlMs = 15_000;

export const connectionKinds = ["media", "browser", "telephony", "dashboard"] as const;
export type ConnectionKind = (typeof connectionKinds)[number];

/** A warm pool of provider clients, as `/pools` reports it. */
const pool = z.object({
  ready: z.boolean(),
  warmSize: z.number(),
  warmTarget: z.number(),
  activeSessions: z.number(),
  allocationsTotal: z.number(),
  allocationsWarm: z.number(),
  allocationsCold: z.number(),
  warmupCycles: z.number(),
  warmupFailures: z.number(),
});
export type PoolStatus = Stored<typeof pool>;

export const mcpStates = ["disabled", "connecting", "connected", "degraded", "failed"] as const;
const mcpState = z.enum(mcpStates);
export type McpState = (typeof mcpStates)[number];

const mcpServer = z.object({
  name: z.string(),
  state: mcpState,
  toolsCount: z.number(),
  error: z.string().optional(),
});
export type McpServerStatus = Stored<typeof mcpServer>;

export const providerKinds = ["recogniser", "synthesiser", "languageModel", "realtimeModel", "callControl"] as const;
export type ProviderKind = (typeof providerKinds)[number];

const provider = z.object({
  /** `local` or the vendor. */
  name: z.string(),
  healthy: z.boolean(),
  /** Absent for what runs in the host's own process, and from hosts of older versions. A newer version may know more of them. */
  basis: z.enum(statusBases).optional().catch(undefined),
  /** In words, without secrets; only for a provider that is not healthy. */
  error: z.string().optional(),
  /** In words: what the service has refused, and what it is sent instead (MODEL-11, RT-1); without anybody's words. */
  learnt: z.array(z.string()).optional(),
});
export type ProviderStatus = Stored<typeof provider>;

/** A failed request to a service that the host depends on. */
const upstreamFailure = z.object({
  /** Such as `recogniser` or `language-model`. */
  part: z.string(),
  code: z.string(),
  /** As in `VoiceError`: without secrets or anybody's text. */
  reason: z.string().optional(),
  /** The conversation that noticed it, unless its id was chosen by a client. */
  sessionId: z.string().optional(),
  atMs: z.number(),
});
export type UpstreamFailure = Stored<typeof upstreamFailure>;

export const hostHeartbeat = z.object({
  hostId: z.string(),
  version: z.string(),
  startedAtMs: z.number(),
  /** Draining: accepts no new sessions and finishes the existing ones. */
  draining: z.boolean(),
  /** Whether warm-up (pools, tool protocol clients) has finished, successfully or not. */
  ready: z.boolean(),
  /** Whether a trace of every turn is written to a collector; absent from hosts of older versions. */
  traces: z.boolean().optional(),
  maxSessions: z.number(),
  /** Places in use by conversations and reserved for calls being set up; absent from hosts of older versions. */
  placesTaken: z.number().optional(),
  /** Conversations now. */
  sessions: z.object({ phone: z.number(), browser: z.number(), media: z.number(), telephony: z.number() }),
  /** Open sockets now. */
  connections: z.object({ media: z.number(), browser: z.number(), telephony: z.number(), dashboard: z.number() }),
  /** Since the host started. */
  totals: z.object({ connected: z.number(), disconnected: z.number() }),
  /** The host's event loop delay, and whether it refuses new conversations because of it. */
  eventLoop: z.object({ delayMs: z.number(), isOverloaded: z.boolean() }).exactOptional(),
  /** The newest, the latest first; absent from hosts of older versions. */
  upstreamFailures: z.array(upstreamFailure).optional(),
  pools: z.object({ stt: pool, tts: pool }),
  mcp: z.object({ state: mcpState, servers: z.array(mcpServer) }),
  providers: z.partialRecord(z.enum(providerKinds), provider),
});
export type HostHeartbeat = Stored<typeof hostHeartbeat>;

/** How long a silent host is listed. Its conversations may continue for about as long. */
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

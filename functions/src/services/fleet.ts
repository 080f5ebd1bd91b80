/** Aggregates the heartbeats of all streaming hosts. Pure; works for none, one and many. */
import { isServing } from "@voice/shared/calls/fleet-capacity";
import type { OutageLog } from "@voice/shared/platform/outage-log";
import {
  connectionKinds,
  type ConnectionKind,
  type HostHeartbeat,
  type HostRegistry,
  type McpState,
  type PoolStatus,
  type ProviderKind,
  type ProviderStatus,
} from "@voice/shared/state/ports/host-registry";
import { channels, type Channel } from "@voice/shared/state/ports/session-store";

type FleetStatus = "available" | "degraded" | "unavailable";

export interface Fleet {
  readonly hostCount: number;
  /** Hosts that accept new sessions. */
  readonly servingCount: number;
  readonly status: FleetStatus;
  readonly sessions: Readonly<Record<Channel, number>>;
  readonly activeSessions: number;
  readonly connections: Readonly<Record<ConnectionKind, number>>;
  readonly connected: number;
  readonly disconnected: number;
  /** The greatest lateness of any host. */
  readonly eventLoopDelayMs: number;
  readonly pools: { readonly stt: PoolStatus; readonly tts: PoolStatus };
  readonly mcp: McpState;
  /** Whether any host exports a trace of every turn. */
  readonly hasTracing: boolean;
  /** Whether any host uses the local recogniser, which knows the agents' examples and little else. */
  readonly hasLocalRecognition: boolean;
}

export function summariseFleet(hosts: readonly HostHeartbeat[]): Fleet {
  const serving = hosts.filter(isServing);
  const sessions = sumByKey(channels, (channel) => hosts.map((host) => host.sessions[channel]));
  return {
    hostCount: hosts.length,
    servingCount: serving.length,
    status: statusOf(hosts, serving),
    sessions,
    activeSessions: sum(Object.values(sessions)),
    connections: sumByKey(connectionKinds, (kind) => hosts.map((host) => host.connections[kind])),
    connected: sum(hosts.map((host) => host.totals.connected)),
    disconnected: sum(hosts.map((host) => host.totals.disconnected)),
    // Hosts of the previous version do not report this; they are replaced within minutes.
    eventLoopDelayMs: Math.max(0, ...hosts.map((host) => host.eventLoop?.delayMs ?? 0)),
    pools: {
      stt: addPools(hosts.map((host) => host.pools.stt)),
      tts: addPools(hosts.map((host) => host.pools.tts)),
    },
    mcp: worstMcpState(hosts),
    hasTracing: serving.some(({ traces }) => traces === true),
    hasLocalRecognition: serving.some(({ providers }) => providers.recogniser?.name === "local"),
  };
}

/** The known hosts, and whether the store that holds them and all sessions answers. */
export interface FleetReport extends Fleet {
  readonly isStoreUp: boolean;
}

/** For status documents, which say "unavailable" rather than fail. */
export async function fleetOrNone(hosts: HostRegistry, reading: OutageLog): Promise<FleetReport> {
  try {
    const fleet = summariseFleet(await hosts.list());
    reading.worked();
    return { ...fleet, isStoreUp: true };
  } catch (error) {
    reading.failed(error);
    return { ...summariseFleet([]), isStoreUp: false };
  }
}

export type ProviderVerdict =
  | { readonly healthy: true; readonly details: string }
  | { readonly healthy: false; readonly error: string };

/** A kind of provider works if it works on any host that accepts new sessions. */
export function judgeProvider(hosts: readonly HostHeartbeat[], kind: ProviderKind): ProviderVerdict {
  const reports = hosts.filter(isServing).flatMap((host) => host.providers[kind] ?? []);
  const healthy = reports.filter((report) => report.healthy);
  const [first] = healthy;
  if (first !== undefined) {
    const names = [...new Set(healthy.map((report) => report.name))].join(", ");
    const where = hosts.length === 1 ? "" : ` on ${healthy.length} of ${hosts.length} hosts`;
    const learnt = [...new Set(healthy.flatMap((report) => report.learnt ?? []))];
    const needs = learnt.length === 0 ? "" : `; learnt from refusals: ${learnt.join(", ")}`;
    return { healthy: true, details: `${basisOf(healthy)}${where} (${names})${needs}` };
  }
  if (hosts.length === 0) return { healthy: false, error: "no streaming host is alive" };
  const reason = reports.find((report) => report.error !== undefined)?.error;
  return { healthy: false, error: reason ?? "no streaming host that takes new sessions offers it" };
}

/** OPS-30: the strongest evidence of any host. A host of an older version says of everything that it works. */
function basisOf(reports: readonly ProviderStatus[]): string {
  const bases = new Set(reports.map(({ basis = "answered" }) => basis));
  if (bases.has("answered")) return "works";
  return bases.has("reached") ? "can be reached, and no conversation has needed it lately" : "has not been asked yet";
}

/**
 * Hosts are serving, and none of them can place calls. False while no host is serving: one that is about to may have a telephone, and a
 * call waits for it.
 */
export function isWithoutTelephone(hosts: readonly HostHeartbeat[]): boolean {
  const serving = hosts.filter(isServing);
  return serving.length > 0 && serving.every(({ providers }) => providers.callControl === undefined);
}

function statusOf(hosts: readonly HostHeartbeat[], serving: readonly HostHeartbeat[]): FleetStatus {
  if (serving.length === 0) return hosts.length === 0 ? "unavailable" : "degraded";
  const isFull = serving.every(
    (host) => sum(Object.values(host.sessions)) >= host.maxSessions || host.eventLoop?.isOverloaded === true,
  );
  const isImpaired = serving.every((host) => Object.values(host.providers).some((provider) => !provider.healthy));
  return isFull || isImpaired ? "degraded" : "available";
}

/** The worst state of any host; hosts without tool servers do not count. */
function worstMcpState(hosts: readonly HostHeartbeat[]): McpState {
  const states = new Set(hosts.map((host) => host.mcp.state));
  const worstFirst: readonly McpState[] = ["failed", "degraded", "connecting", "connected"];
  return worstFirst.find((state) => states.has(state)) ?? "disabled";
}

function addPools(pools: readonly PoolStatus[]): PoolStatus {
  const total = (field: Exclude<keyof PoolStatus, "ready">): number => sum(pools.map((pool) => pool[field]));
  return {
    ready: pools.some((pool) => pool.ready),
    warmSize: total("warmSize"),
    warmTarget: total("warmTarget"),
    activeSessions: total("activeSessions"),
    allocationsTotal: total("allocationsTotal"),
    allocationsWarm: total("allocationsWarm"),
    allocationsCold: total("allocationsCold"),
    warmupCycles: total("warmupCycles"),
    warmupFailures: total("warmupFailures"),
  };
}

function sumByKey<Key extends string>(
  keys: readonly Key[],
  valuesOf: (key: Key) => readonly number[],
): Record<Key, number>;
function sumByKey(keys: readonly string[], valuesOf: (key: string) => readonly number[]): Record<string, number> {
  return Object.fromEntries(keys.map((key) => [key, sum(valuesOf(key))]));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

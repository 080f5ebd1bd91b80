/** The state that a host reports in its heartbeat. */
import type { Settings } from "@voice/shared/config/settings";
import type { HostHeartbeat, McpServerStatus, McpState, PoolStatus } from "@voice/shared/state/ports/host-registry";
import type { Telemetry } from "@voice/shared/telemetry/telemetry";
import type { Providers } from "../conversations/providers.ts";
import type { RecentFailures } from "../../telemetry/recent-failures.ts";
import type { StreamingHost } from "../accept/streaming-host.ts";

/** The version of this package, not of the API. */
export const hostVersion = "1.0.0";

export function describeHost(source: {
  readonly hostId: string;
  readonly startedAtMs: number;
  readonly host: Pick<StreamingHost, "counts" | "isDraining" | "placesTaken">;
  readonly eventLoop: { readonly delayMs: number; readonly isOverloaded: boolean };
  readonly providers: { readonly [Kind in "recogniser" | "synthesiser"]: Pick<Providers[Kind], "pool"> };
  /** Whether every tool server has been tried. */
  readonly hasTriedTools: boolean;
  readonly telemetry: Pick<Telemetry, "isOn">;
  readonly failures: Pick<RecentFailures, "list">;
  readonly status: () => HostHeartbeat["providers"];
  readonly mcpServers: () => readonly McpServerStatus[];
  readonly settings: Pick<Settings, "maxSessions">;
}): HostHeartbeat {
  const { host, providers } = source;
  const counts = host.counts();
  const media = counts.media + counts["media-session"];
  const pools = { stt: providers.recogniser.pool(), tts: providers.synthesiser.pool() };
  return {
    hostId: source.hostId,
    version: hostVersion,
    startedAtMs: source.startedAtMs,
    draining: host.isDraining,
    ready: source.hasTriedTools && isWarm(pools.stt) && isWarm(pools.tts),
    traces: source.telemetry.isOn,
    maxSessions: source.settings.maxSessions,
    placesTaken: host.placesTaken,
    sessions: { phone: counts.phone, browser: counts.browser, media, telephony: counts.telephony },
    connections: {
      media: media + counts.phone,
      browser: counts.browser,
      telephony: counts.telephony,
      dashboard: counts.dashboard,
    },
    totals: { connected: counts.connected, disconnected: counts.disconnected },
    eventLoop: { delayMs: source.eventLoop.delayMs, isOverloaded: source.eventLoop.isOverloaded },
    upstreamFailures: source.failures.list,
    pools,
    mcp: { state: mcpState(source.mcpServers()), servers: source.mcpServers() },
    providers: source.status(),
  };
}

/** While a pool's service is unreachable, the pool counts as warm, because waiting longer would not help. */
export function isWarm({ ready, warmupFailures }: PoolStatus): boolean {
  return ready || warmupFailures > 0;
}

/** The state of all tool servers together: while one is away, the others remain useful. */
export function mcpState(servers: readonly McpServerStatus[]): McpState {
  if (servers.length === 0) return "disabled";
  const connected = servers.filter(({ state }) => state === "connected").length;
  if (connected === servers.length) return "connected";
  if (connected > 0) return "degraded";
  return servers.some(({ state }) => state === "connecting") ? "connecting" : "failed";
}

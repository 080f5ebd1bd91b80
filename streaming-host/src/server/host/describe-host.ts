/** The state that a host reports in its heartbeat. */
import type { HostHeartbeat, McpServerStatus, McpState, PoolStatus } from "@voice/shared/state/ports/host-registry";
import type { Host } from "../../host/host.ts";
import type { Providers } from "../conversations/providers.ts";
import type { RecentFailures } from "../../telemetry/recent-failures.ts";
import type { StreamingHost } from "../accept/streaming-host.ts";

/** The version of this package, not of the API. */
export const hostVersion = "1.0.0";

export interface DescribedParts {
  readonly startedAtMs: number;
  readonly sockets: Pick<StreamingHost, "counts" | "isDraining" | "placesTaken">;
  readonly eventLoop: { readonly delayMs: number; readonly isOverloaded: boolean };
  readonly providers: { readonly [Kind in "recogniser" | "synthesiser"]: Pick<Providers[Kind], "pool"> };
  /** `areTried`: whether every tool server has been tried. */
  readonly tools: { readonly areTried: boolean; servers(): readonly McpServerStatus[] };
  readonly failures: Pick<RecentFailures, "list">;
  readonly status: () => HostHeartbeat["providers"];
}

export function describeHost(
  { id, settings, telemetry }: Pick<Host, "id" | "settings" | "telemetry">,
  { sockets, providers, tools, ...parts }: DescribedParts,
): HostHeartbeat {
  const counts = sockets.counts();
  const media = counts.media + counts["media-session"];
  const pools = { stt: providers.recogniser.pool(), tts: providers.synthesiser.pool() };
  return {
    hostId: id,
    version: hostVersion,
    startedAtMs: parts.startedAtMs,
    draining: sockets.isDraining,
    ready: tools.areTried && isWarm(pools.stt) && isWarm(pools.tts),
    traces: telemetry.isOn,
    maxSessions: settings.maxSessions,
    placesTaken: sockets.placesTaken,
    sessions: { phone: counts.phone, browser: counts.browser, media, telephony: counts.telephony },
    connections: {
      media: media + counts.phone,
      browser: counts.browser,
      telephony: counts.telephony,
      dashboard: counts.dashboard,
    },
    totals: { connected: counts.connected, disconnected: counts.disconnected },
    eventLoop: { delayMs: parts.eventLoop.delayMs, isOverloaded: parts.eventLoop.isOverloaded },
    upstreamFailures: parts.failures.list,
    pools,
    mcp: { state: mcpState(tools.servers()), servers: tools.servers() },
    providers: parts.status(),
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

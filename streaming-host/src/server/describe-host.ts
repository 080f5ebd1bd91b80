/** What a host says about itself in its heartbeat. */
import type { Settings } from "@voice/shared/config/settings";
import type { HostHeartbeat, McpServerStatus, McpState } from "@voice/shared/state/ports/host-registry";
import type { Providers } from "./conversation-services.ts";
import type { StreamingHost } from "./streaming-host.ts";

/** Of this package; the API's own version is another matter. */
export const hostVersion = "1.0.0";

export function describeHost(source: {
  readonly hostId: string;
  readonly startedAtMs: number;
  readonly host: StreamingHost;
  readonly providers: Providers;
  readonly status: () => HostHeartbeat["providers"];
  readonly mcpServers: () => readonly McpServerStatus[];
  readonly settings: Settings;
}): HostHeartbeat {
  const { host, providers } = source;
  const counts = host.counts();
  const media = counts.media + counts["media-session"];
  return {
    hostId: source.hostId,
    version: hostVersion,
    startedAtMs: source.startedAtMs,
    draining: host.isDraining,
    ready: true,
    maxSessions: source.settings.maxSessions,
    sessions: { phone: 0, browser: counts.browser, media, telephony: counts.telephony },
    connections: { media, browser: counts.browser, telephony: counts.telephony, dashboard: counts.dashboard },
    totals: { connected: counts.connected, disconnected: counts.disconnected },
    pools: { stt: providers.recogniser.pool(), tts: providers.synthesiser.pool() },
    mcp: { state: mcpState(source.mcpServers()), servers: source.mcpServers() },
    providers: source.status(),
  };
}

/** Of all servers together: one that is away leaves the others useful. */
export function mcpState(servers: readonly McpServerStatus[]): McpState {
  if (servers.length === 0) return "disabled";
  const connected = servers.filter(({ state }) => state === "connected").length;
  if (connected === servers.length) return "connected";
  if (connected > 0) return "degraded";
  return servers.some(({ state }) => state === "connecting") ? "connecting" : "failed";
}

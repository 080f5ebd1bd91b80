/** One host, and one setting, as an operator sees them. Pure. */
import type { RouteNow } from "@voice/shared/catalog/conversation-routes";
import type { SettingDescription } from "@voice/shared/config/describe-settings";
import type { HostHeartbeat } from "@voice/shared/state/ports/host-registry";
import { poolMetrics } from "./pool-metrics.ts";

export function hostView(host: HostHeartbeat) {
  return {
    host_id: host.hostId,
    version: host.version,
    started_at: new Date(host.startedAtMs).toISOString(),
    status: statusOf(host),
    sessions: sessionsOf(host),
    max_sessions: host.maxSessions,
    connections: { ...host.connections },
    event_loop_delay_ms: host.eventLoop?.delayMs ?? null,
    pools: { stt: poolMetrics("speech-stt", host.pools.stt), tts: poolMetrics("speech-tts", host.pools.tts) },
    providers: Object.entries(host.providers).map(([part, { name, healthy, error = null, learnt = [] }]) => ({
      part,
      name,
      healthy,
      error,
      learnt: [...learnt],
    })),
    tool_servers: host.mcp.servers.map(({ name, state, toolsCount, error = null }) => ({
      name,
      state,
      tools_count: toolsCount,
      error,
    })),
    upstream_failures: (host.upstreamFailures ?? []).map(({ part, code, reason = null, sessionId = null, atMs }) => ({
      part,
      code,
      reason,
      session_id: sessionId,
      timestamp: new Date(atMs).toISOString(),
    })),
  };
}

export function routeView({ route, isOpen }: RouteNow) {
  const { number = [], channel, scenario, agent, language, time_zone: timeZone, hours, closed } = route.written;
  const spans = Object.entries(hours ?? {}).map(([day, times]) => `${day} ${times.join(", ")}`);
  const otherwise =
    closed && ("say" in closed ? `says “${closed.say}” and hangs up` : `begins with ${closed.scenario}`);
  return {
    numbers: [...number],
    channel: channel ?? null,
    scenario,
    agent: agent ?? null,
    language: language ?? null,
    time_zone: timeZone ?? null,
    hours: hours === undefined ? null : spans.join("; "),
    is_open: isOpen,
    closed: otherwise ?? null,
  };
}

function sessionsOf({ sessions }: HostHeartbeat): number {
  return Object.values(sessions).reduce((sum, count) => sum + count, 0);
}

function statusOf(host: HostHeartbeat) {
  if (host.draining) return "draining" as const;
  if (!host.ready) return "warming_up" as const;
  if (host.eventLoop?.isOverloaded === true) return "overloaded" as const;
  const taken = host.placesTaken ?? sessionsOf(host);
  return taken >= host.maxSessions ? ("full" as const) : ("serving" as const);
}

export function settingView({ area, name, about, value, isSecret, isChanged }: SettingDescription) {
  return { area, name, about, value: value ?? null, is_secret: isSecret, is_changed: isChanged };
}

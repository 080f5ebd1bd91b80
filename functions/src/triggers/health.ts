/** Health and monitoring. */
import {
  getAppConfig,
  getHealth,
  getPools,
  getReadiness,
  getReady,
  refreshAppConfig,
} from "@voice/shared/contracts/http/health";
import { apiVersion } from "@voice/shared/contracts/http/endpoint";
import type { ConfigurationStatus } from "@voice/shared/config/configuration-provider";
import { commit } from "@voice/shared/platform/build";
import { BadRequestError, VoiceError } from "@voice/shared/platform/errors";
import { withinTime } from "@voice/shared/platform/within-time";
import type { Dependencies } from "../dependencies.ts";
import { retryAfter } from "../http/problems.ts";
import { answer, route, type Route } from "../http/route.ts";
import { changedSettingsNote } from "../services/changed-settings.ts";
import { summariseFleet, type Fleet } from "../services/fleet.ts";
import { poolMetrics } from "../services/pool-metrics.ts";
import { checkReadiness, roundMs } from "../services/readiness.ts";
import { readinessChecks } from "../services/readiness-checks.ts";

const noConfigurationStore = "No configuration store is set; the environment is used";
/** Liveness must answer quickly, even while the store is down. */
const livenessLimitMs = 500;

export const healthRoutes: readonly Route[] = [
  answer(getHealth)(async (_input, dependencies) => {
    const hosts = await hostsIfKnown(dependencies);
    return {
      status: "healthy",
      version: apiVersion,
      timestamp: epochSeconds(dependencies),
      message: "The voice agent service is running",
      details: { api_version: "v1", service: "voice-agent-service", commit: await commit() },
      active_sessions: hosts?.activeSessions ?? null,
      session_metrics: hosts === undefined ? null : sessionMetrics(hosts),
    };
  }),

  answer(getReady)(async (_input, { state }) => {
    const fleet = summariseFleet(await state.hosts.list());
    if (fleet.servingCount === 0) throw new BadRequestError("dependency_not_ready", "No streaming host has warmed up.");
    const pools = { tts: fleet.pools.tts.warmSize, stt: fleet.pools.stt.warmSize };
    return { status: "ready", mcp: fleet.mcp, pools };
  }),

  route(getReadiness)(async ({ request }, dependencies) => {
    const { clock, state } = dependencies;
    const [readiness, isKnown, events] = await Promise.all([
      checkReadiness(readinessChecks(dependencies), clock),
      isClient(request.header("authorization"), dependencies),
      withinTime(clock, livenessLimitMs, async () => state.events.health()).catch(() => undefined),
    ]);
    const isReady = readiness.status !== "not_ready";
    return {
      status: isReady ? 200 : 503,
      headers: isReady ? {} : retryAfter("dependency_not_ready"),
      body: {
        ...readiness,
        checks: isKnown ? readiness.checks : readiness.checks.map((check) => ({ ...check, details: null })),
        timestamp: epochSeconds(dependencies),
        event_system:
          events === undefined
            ? null
            : {
                is_healthy: events.isHealthy,
                handlers_count: events.handlersCount,
                domains_count: events.domainsCount,
              },
      },
    };
  }),

  answer(getPools)(async (_input, dependencies) => {
    const fleet = summariseFleet(await dependencies.state.hosts.list());
    const pools = {
      "speech-tts": poolMetrics("speech-tts", fleet.pools.tts),
      "speech-stt": poolMetrics("speech-stt", fleet.pools.stt),
    };
    return { status: poolStatus(fleet), timestamp: epochSeconds(dependencies), pools, summary: summarise(fleet) };
  }),

  answer(getAppConfig)(async ({ query }, dependencies) => {
    const { clock, configuration } = dependencies;
    const startedAt = clock.now();
    if (query.refresh) await refresh(dependencies);
    const status = configuration.status();
    return {
      status: configurationHealth(status),
      timestamp: epochSeconds(dependencies),
      response_time_ms: roundMs(clock.now() - startedAt),
      provider: providerStatus(status),
      message: configurationMessage(status),
    };
  }),

  answer(refreshAppConfig)(async (_input, dependencies) => {
    const { clock, configuration } = dependencies;
    const startedAt = clock.now();
    await refresh(dependencies);
    return {
      status: "success",
      timestamp: epochSeconds(dependencies),
      response_time_ms: roundMs(clock.now() - startedAt),
      message: refreshMessage(configuration.status()),
      provider: providerStatus(configuration.status()),
    };
  }),
];

/** OPS-12. */
async function isClient(
  authorization: string | undefined,
  { authorise, settings }: Pick<Dependencies, "authorise" | "settings">,
): Promise<boolean> {
  if (settings.environment !== "production" || !settings.enableAuthValidation) return true;
  if (authorization === undefined) return false;
  try {
    await authorise("client", { headers: new Headers({ authorization }), query: new URLSearchParams() });
    return true;
  } catch (error) {
    if (error instanceof VoiceError) return false;
    throw error;
  }
}

interface KnownHosts {
  readonly fleet: Fleet;
  readonly silentHosts: number;
  readonly activeSessions: number;
}

/**
 * The scaler removes hosts according to this number. A store that cannot be written to lists no hosts, even if conversations are running,
 * so an empty list means "not known"; and the conversations of a host that stopped reporting without saying goodbye count until it is
 * certainly gone.
 */
async function hostsIfKnown({ clock, state, heartbeatReading }: Dependencies): Promise<KnownHosts | undefined> {
  try {
    const { alive, silent } = await withinTime(clock, livenessLimitMs, async () => state.hosts.listWithSilent());
    heartbeatReading.worked();
    if (alive.length === 0) return undefined;
    const fleet = summariseFleet(alive);
    const there = silent.reduce((total, { sessions }) => total + sessions, fleet.activeSessions);
    return { fleet, silentHosts: silent.length, activeSessions: there };
  } catch (error) {
    heartbeatReading.failed(error);
    return undefined;
  }
}

function sessionMetrics({ fleet, silentHosts, activeSessions }: KnownHosts) {
  return {
    connected: fleet.connected,
    disconnected: fleet.disconnected,
    active: activeSessions,
    total_connected: fleet.connected,
    by_channel: fleet.sessions,
    streaming_hosts: fleet.hostCount,
    silent_hosts: silentHosts,
    event_loop_delay_ms: fleet.eventLoopDelayMs,
  };
}

/** If the new values are invalid, the configuration store is to blame and the old values stay in effect. */
async function refresh({ configuration }: Dependencies): Promise<void> {
  try {
    await configuration.refresh();
  } catch (error) {
    if (error instanceof VoiceError && error.code !== "internal_error") throw error;
    throw new BadRequestError("upstream_unavailable", "The configuration store's values are not valid settings.");
  }
}

function providerStatus(status: ConfigurationStatus) {
  return {
    enabled: status.enabled,
    endpoint: status.endpoint ?? null,
    label: status.label ?? null,
    loaded: status.loaded,
    key_count: status.keyCount,
  };
}

function refreshMessage({ enabled, changedSinceStart = [] }: ConfigurationStatus): string {
  if (!enabled) return noConfigurationStore;
  return ["Configuration loaded again.", changedSettingsNote(changedSinceStart)].filter(Boolean).join(" ");
}

function configurationMessage(status: ConfigurationStatus): string {
  const { enabled, loaded, keyCount, lastError, changedSinceStart = [] } = status;
  if (!enabled) return noConfigurationStore;
  if (!loaded) return `The configuration store is not loaded${lastError === undefined ? "" : `: ${lastError}`}`;
  const failure = lastError === undefined ? "" : `; the last refresh failed: ${lastError}`;
  const changed = changedSettingsNote(changedSinceStart);
  return `${keyCount} settings come from the configuration store${failure}${changed === undefined ? "" : `. ${changed}`}`;
}

function poolStatus({ hostCount, pools }: Fleet): "healthy" | "degraded" | "unhealthy" {
  if (hostCount === 0 || (!pools.stt.ready && !pools.tts.ready)) return "unhealthy";
  return pools.stt.ready && pools.tts.ready ? "healthy" : "degraded";
}

function summarise({ pools: { stt, tts } }: Fleet) {
  const total = stt.allocationsTotal + tts.allocationsTotal;
  const warm = stt.allocationsWarm + tts.allocationsWarm;
  return {
    total_warm: stt.warmSize + tts.warmSize,
    total_active_sessions: stt.activeSessions + tts.activeSessions,
    allocations_total: total,
    hit_rate_percent: total === 0 ? 0 : Math.round((warm / total) * 10_000) / 100,
    tier_breakdown: { dedicated: 0, warm, cold: stt.allocationsCold + tts.allocationsCold },
  };
}

function epochSeconds({ clock }: Dependencies): number {
  return clock.wallNow() / 1000;
}

function configurationHealth({ enabled, loaded }: ConfigurationStatus): "disabled" | "healthy" | "unhealthy" {
  if (!enabled) return "disabled";
  return loaded ? "healthy" : "unhealthy";
}

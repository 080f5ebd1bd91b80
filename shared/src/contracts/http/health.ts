/** Health and monitoring. */
import { z } from "zod";
import { defineEndpoint } from "./endpoint.ts";
import { freeForm, queryBoolean } from "./fields.ts";

export const healthResponse = z
  .object({
    status: z.string(),
    version: z.string().default("1.0.0"),
    timestamp: z.number().describe("Seconds since the Unix epoch."),
    message: z.string(),
    details: freeForm,
    active_sessions: z
      .int()
      .nullable()
      .describe(
        "Live conversations on all streaming hosts, with the last known ones of hosts that fell silent within ten minutes; null when unknown, as when no host reports.",
      ),
    session_metrics: freeForm.nullable(),
  })
  .meta({ id: "HealthResponse" });

export const serviceCheck = z
  .object({
    component: z.string(),
    status: z.enum(["healthy", "unhealthy"]),
    check_time_ms: z.number(),
    details: z.string().nullable(),
    error: z.string().nullable(),
  })
  .meta({ id: "ServiceCheck" });

export type ServiceCheck = z.infer<typeof serviceCheck>;

export const readinessStatuses = ["ready", "not_ready", "degraded"] as const;

export const readinessResponse = z
  .object({
    status: z.enum(readinessStatuses),
    timestamp: z.number(),
    response_time_ms: z.number(),
    checks: z.array(serviceCheck),
    event_system: z
      .looseObject({ is_healthy: z.boolean(), handlers_count: z.int(), domains_count: z.int() })
      .nullable(),
  })
  .meta({ id: "ReadinessResponse" });

export const readyResponse = z
  .object({
    status: z.literal("ready"),
    mcp: z.string().describe("Connection state of the tool-protocol client."),
    pools: z.object({ tts: z.int(), stt: z.int() }),
  })
  .meta({ id: "ReadyResponse" });

export const poolMetrics = z
  .object({
    name: z.string(),
    ready: z.boolean(),
    warm_pool_size: z.int(),
    warm_pool_target: z.int(),
    active_sessions: z.int(),
    session_awareness: z.boolean(),
    allocations_total: z.int(),
    allocations_dedicated: z.int(),
    allocations_warm: z.int(),
    allocations_cold: z.int(),
    warmup_cycles: z.int(),
    warmup_failures: z.int(),
    background_warmup: z.boolean(),
  })
  .meta({ id: "PoolMetrics" });

export type PoolMetrics = z.infer<typeof poolMetrics>;

/** The port's own list: contracts import nothing. */
export const mcpStates = ["disabled", "connecting", "connected", "degraded", "failed"] as const;

export const poolsResponse = z
  .object({
    status: z.enum(["healthy", "degraded", "unhealthy"]),
    timestamp: z.number(),
    pools: z.record(z.string(), poolMetrics),
    summary: z.object({
      total_warm: z.int(),
      total_active_sessions: z.int(),
      allocations_total: z.int(),
      hit_rate_percent: z.number(),
      tier_breakdown: z.object({ dedicated: z.int(), warm: z.int(), cold: z.int() }),
    }),
  })
  .meta({ id: "PoolsResponse" });

const configurationProvider = z
  .object({
    enabled: z.boolean(),
    endpoint: z.string().nullable(),
    label: z.string().nullable(),
    loaded: z.boolean(),
    key_count: z.int(),
  })
  .meta({ id: "ConfigurationProviderStatus" });

export const appConfigResponse = z
  .object({
    status: z.enum(["healthy", "disabled", "unhealthy"]),
    timestamp: z.number(),
    response_time_ms: z.number(),
    provider: configurationProvider,
    message: z.string(),
  })
  .meta({ id: "AppConfigResponse" });

export const appConfigRefreshResponse = z
  .object({
    status: z.literal("success"),
    timestamp: z.number(),
    response_time_ms: z.number(),
    message: z.string(),
    provider: configurationProvider,
  })
  .meta({ id: "AppConfigRefreshResponse" });

export const getHealth = defineEndpoint({
  name: "health",
  at: "GET /health",
  access: "open",
  summary: "Liveness: answers whenever the process runs",
  responses: { 200: { description: "The process runs.", schema: healthResponse } },
});

export const getReady = defineEndpoint({
  name: "ready",
  at: "GET /ready",
  access: "open",
  summary: "Readiness probe: have the streaming hosts finished warming up?",
  responses: { 200: { description: "Warm-up is complete.", schema: readyResponse } },
  problems: ["dependency_not_ready"],
});

export const getReadiness = defineEndpoint({
  name: "readiness",
  at: "GET /readiness",
  access: "open",
  summary: "Checks every dependency, side by side, each with its own time-out",
  responses: {
    200: { description: "All critical dependencies work (`ready` or `degraded`).", schema: readinessResponse },
    503: { description: "A critical dependency is unhealthy (`not_ready`).", schema: readinessResponse },
  },
});

export const getPools = defineEndpoint({
  name: "pools",
  at: "GET /pools",
  access: "client",
  summary: "Speech client pools of all streaming hosts",
  responses: { 200: { description: "Availability and use.", schema: poolsResponse } },
});

export const getAppConfig = defineEndpoint({
  name: "appConfig",
  at: "GET /appconfig",
  access: "service-operator",
  summary: "State of the configuration provider",
  query: z.object({ refresh: queryBoolean("Load again before answering.") }),
  responses: { 200: { description: "The provider's state; never a value.", schema: appConfigResponse } },
  problems: ["upstream_unavailable", "upstream_timeout"],
});

export const refreshAppConfig = defineEndpoint({
  name: "appConfigRefresh",
  at: "POST /appconfig/refresh",
  access: "service-operator",
  summary: "Loads the configuration again",
  responses: { 200: { description: "Loaded.", schema: appConfigRefreshResponse } },
  problems: ["upstream_unavailable", "upstream_timeout"],
});

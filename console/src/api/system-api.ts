/** The page's requests about the service itself. */
import { z } from "zod";

import { ApiProblem } from "./api-problem.ts";
import type { Http } from "./request.ts";

const readiness = z.object({
  status: z.string(),
  checks: z.array(
    z.object({
      component: z.string(),
      status: z.string(),
      check_time_ms: z.number(),
      details: z.string().nullish(),
      error: z.string().nullish(),
    }),
  ),
});

const pool = z.object({
  ready: z.boolean(),
  warm_pool_size: z.number(),
  warm_pool_target: z.number(),
  active_sessions: z.number(),
  warmup_failures: z.number(),
});

const host = z.object({
  host_id: z.string(),
  version: z.string(),
  started_at: z.string(),
  status: z.string(),
  sessions: z.number(),
  max_sessions: z.number(),
  connections: z.record(z.string(), z.number()),
  event_loop_delay_ms: z.number().nullable(),
  pools: z.object({ stt: pool, tts: pool }),
  providers: z.array(
    z.object({ part: z.string(), name: z.string(), healthy: z.boolean(), error: z.string().nullable() }),
  ),
  tool_servers: z.array(z.object({ name: z.string(), state: z.string(), error: z.string().nullable() })),
  upstream_failures: z.array(
    z.object({
      part: z.string(),
      code: z.string(),
      reason: z.string().nullish(),
      session_id: z.string().nullish(),
      timestamp: z.string(),
    }),
  ),
});

const routeRow = z.object({
  numbers: z.array(z.string()),
  channel: z.string().nullable(),
  scenario: z.string(),
  agent: z.string().nullable(),
  language: z.string().nullable(),
  time_zone: z.string().nullable(),
  hours: z.string().nullable(),
  is_open: z.boolean(),
  closed: z.string().nullable(),
});

const system = z.object({
  version: z.string(),
  commit: z.string(),
  parts: z.array(z.object({ name: z.string(), kind: z.string(), detail: z.string() })),
  hosts: z.array(host),
  /** Absent from an older service. */
  routes: z.array(routeRow).default([]),
  settings: z.array(
    z.object({
      area: z.string(),
      name: z.string(),
      about: z.string(),
      value: z.string().nullable(),
      is_secret: z.boolean(),
      is_changed: z.boolean(),
    }),
  ),
});

const audit = z.object({
  records: z.array(
    z.object({
      timestamp: z.string(),
      subject: z.string().nullable(),
      action: z.string(),
      what: z.record(z.string(), z.string()),
      outcome: z.string(),
      from: z.string().nullable(),
    }),
  ),
});

export type AuditEntry = z.infer<typeof audit>["records"][number];

interface AuditFilter {
  readonly subject: string;
  readonly about: string;
}

export type Readiness = z.infer<typeof readiness>;
export type SystemInfo = z.infer<typeof system>;
export type SystemHost = z.infer<typeof host>;
export type SystemRoute = SystemInfo["routes"][number];
export type SystemSetting = SystemInfo["settings"][number];

export type SystemApi = ReturnType<typeof createSystemApi>;

export function createSystemApi(http: Http) {
  return {
    system: (signal: AbortSignal): Promise<SystemInfo> => http.json("/system", system, { signal }),
    /** The newest first. An empty filter lets everything through. */
    async audit({ subject, about }: AuditFilter, signal: AbortSignal): Promise<readonly AuditEntry[]> {
      const query = new URLSearchParams({ limit: "100" });
      if (subject !== "") query.set("subject", subject);
      if (about !== "") query.set("about", about);
      return (await http.json(`/audit?${query.toString()}`, audit, { signal })).records;
    },
    async readiness(signal: AbortSignal): Promise<Readiness> {
      try {
        return await http.json("/readiness", readiness, { signal });
      } catch (error) {
        // A service that is not ready answers 503, with the reasons in the body.
        const known = error instanceof ApiProblem ? readiness.safeParse(error.body).data : undefined;
        if (known === undefined) throw error;
        return known;
      }
    },
  };
}

/** For operators: the service's parts, the state of its hosts, and its settings. */
import { z } from "zod";
import { mcpStates, poolMetrics } from "./health.ts";
import { defineEndpoint } from "./endpoint.ts";
import { queryInteger, queryTime, timestampField } from "./fields.ts";

const part = z
  .object({
    name: z.string(),
    kind: z.enum(["real", "local", "off"]).describe("`off`: the service does without it."),
    detail: z.string().describe("What it talks to, without credentials."),
  })
  .meta({ id: "SystemPart" });

const host = z
  .object({
    host_id: z.string(),
    version: z.string(),
    started_at: timestampField,
    status: z
      .enum(["serving", "full", "overloaded", "draining", "warming_up"])
      .describe("Only a host that is `serving` takes new conversations."),
    sessions: z.int().describe("Conversations now."),
    max_sessions: z.int(),
    connections: z.record(z.string(), z.int()).describe("Open sockets now, by kind."),
    event_loop_delay_ms: z.number().nullable().describe("How late it does what is due; null where it does not say."),
    pools: z.object({ stt: poolMetrics, tts: poolMetrics }),
    providers: z.array(
      z.object({
        part: z.string(),
        name: z.string(),
        healthy: z.boolean(),
        error: z.string().nullable(),
        learnt: z.array(z.string()).describe("What the service has refused, and what it is sent instead, in words."),
      }),
    ),
    tool_servers: z.array(
      z.object({ name: z.string(), state: z.enum(mcpStates), tools_count: z.int(), error: z.string().nullable() }),
    ),
    upstream_failures: z
      .array(
        z.object({
          part: z.string(),
          code: z.string(),
          reason: z.string().nullable().describe("Null where none is known."),
          session_id: z
            .string()
            .nullable()
            .describe("The conversation that it happened in; null if there was none, or if a client chose its id."),
          timestamp: timestampField,
        }),
      )
      .describe("The newest ten, the latest first."),
  })
  .meta({ id: "SystemHost" });

const setting = z
  .object({
    area: z.string(),
    name: z.string(),
    about: z.string(),
    value: z.string().nullable().describe("Null for a secret, and where there is none."),
    is_secret: z.boolean(),
    is_changed: z.boolean().describe("Set to something else than it is by itself."),
  })
  .meta({ id: "SystemSetting" });

const row = z
  .object({
    numbers: z.array(z.string()).describe("What was called; empty for the row of a channel."),
    channel: z.string().nullable(),
    scenario: z.string(),
    agent: z.string().nullable(),
    language: z.string().nullable(),
    time_zone: z.string().nullable(),
    hours: z.string().nullable().describe("In words; null where somebody answers at all times."),
    is_open: z.boolean().describe("Whether it is within the hours now."),
    closed: z.string().nullable().describe("What happens outside of the hours, in words."),
  })
  .meta({ id: "SystemRoute" });

const systemResponse = z
  .object({
    version: z.string(),
    commit: z.string(),
    parts: z.array(part),
    hosts: z.array(host),
    routes: z.array(row).describe("By which scenario conversations begin (routes.yaml)."),
    settings: z.array(setting).describe("Of the instance that answers; streaming hosts of another version may differ."),
  })
  .meta({ id: "SystemResponse" });

export const getSystem = defineEndpoint({
  name: "system",
  at: "GET /system",
  access: "service-operator",
  summary: "What the service is made of, how its hosts are doing, and how it is set",
  responses: { 200: { description: "Without a secret.", schema: systemResponse } },
  problems: ["cache_connection_failed"],
});

const auditRecord = z
  .object({
    timestamp: timestampField,
    subject: z.string().nullable().describe("The token's subject; null where nobody proved who they are."),
    action: z.string().describe("The operation's name in this document, or `watch` and `listen` for sockets."),
    what: z.record(z.string(), z.string()).describe("What it was done to, such as `session_id`."),
    outcome: z.enum(["done", "refused", "failed"]),
    status_code: z.int(),
    from: z.string().nullable().describe("The client's address as the proxies in front report it."),
    request_id: z.string().nullable(),
  })
  .meta({ id: "AuditRecord" });

export const auditList = defineEndpoint({
  name: "auditList",
  at: "GET /audit",
  access: "service-operator",
  isAudited: true,
  summary: "Who read, watched, changed, placed, deleted and was refused what, the newest first",
  description:
    "What changes nothing, or was refused, is recorded once in five minutes. Kept for `AUDIT_RETENTION_DAYS`; of very many, the newest 50,000.",
  query: z.object({
    subject: z.string().max(256).optional().describe("Only what this subject did."),
    about: z
      .string()
      .max(128)
      .optional()
      .describe("Only what was done to the session, the call or the agent of this id."),
    before: queryTime("Only what was done before that."),
    limit: queryInteger({ min: 1, max: 200, default: 50, description: "How many." }),
  }),
  responses: {
    200: {
      description: "Without any contents.",
      schema: z.object({ records: z.array(auditRecord) }).meta({ id: "AuditResponse" }),
    },
  },
  problems: ["cache_connection_failed"],
});

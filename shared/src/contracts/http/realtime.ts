/** The sockets' status documents, and the ticket that lets a browser open one. */
import { z } from "zod";
import { defineEndpoint } from "./endpoint.ts";
import { idField, timestampField } from "./fields.ts";

export const realtimeStatusResponse = z
  .object({
    status: z.enum(["available", "degraded", "unavailable"]),
    websocket_endpoints: z.record(z.string(), z.string()),
    features: z.record(z.string(), z.boolean()),
    active_connections: z.record(z.string(), z.int()),
    protocols_supported: z.array(z.string()).default(["WebSocket"]),
    version: z.string().default("v1"),
  })
  .meta({ id: "RealtimeStatusResponse" });

export const telephonyHealthResponse = z
  .object({ status: z.literal("ok"), service: z.string() })
  .meta({ id: "TelephonyHealthResponse" });

export const realtimeTokenRequest = z
  .strictObject({
    purpose: z
      .enum(["converse", "watch", "listen", "try"])
      .nullish()
      .describe(
        "`converse` opens a conversation, `watch` the dashboard relay, `listen` the audio of both sides, `try` the trial of tools; " +
          "`converse` where absent.",
      ),
    session_id: idField
      .nullish()
      .describe(
        "The session; without one, `converse` is for a new session and `watch` for all that the caller may see. `listen` needs one.",
      ),
  })
  .meta({ id: "RealtimeTokenRequest" });

export const realtimeTokenResponse = z
  .object({
    ticket: z.string(),
    purpose: z.enum(["converse", "watch", "listen", "try"]),
    session_id: z
      .string()
      .nullable()
      .describe("The only session that it opens; null where it watches all, and for tools, which need none."),
    expires_in: z.int().describe("Seconds."),
    expires_at: timestampField,
    access_expires_in: z
      .int()
      .nullable()
      .describe(
        "Seconds after which a socket that watches, listens in or tries tools is closed with 4401, and up to a minute more, unless it " +
          "sends `renew` with another ticket; null where it stays open.",
      ),
    websocket_url: z.string(),
  })
  .meta({ id: "RealtimeTokenResponse" });

export const negotiateRequest = z
  .strictObject({
    session_id: idField.nullish().describe("The session to watch; without one, everything, which is for operators."),
  })
  .meta({ id: "NegotiateRequest" });

export const negotiateResponse = z
  .object({
    url: z.string().describe("To connect to; it holds the token."),
    protocol: z.literal("json.webpubsub.azure.v1").describe("The WebSocket's subprotocol."),
    group: z.string().describe("What the connection hears, and all that it may do."),
    expires_in: z.int().describe("Seconds in which to connect; a connection stays."),
    expires_at: timestampField,
  })
  .meta({ id: "NegotiateResponse" });

export const getRealtimeStatus = defineEndpoint({
  name: "realtimeStatus",
  at: "GET /realtime/status",
  access: "client",
  summary: "State of the realtime sockets on all streaming hosts",
  responses: { 200: { description: "The current state.", schema: realtimeStatusResponse } },
});

export const createRealtimeToken = defineEndpoint({
  name: "realtimeToken",
  at: "POST /realtime/token",
  access: "client",
  summary: "A ticket for one WebSocket",
  description:
    "A browser cannot set headers on a WebSocket. Pass the ticket as `?ticket=`; it works once, for 60 s, for one purpose " +
    "and with the rights of who asked for it.",
  body: realtimeTokenRequest.optional(),
  responses: { 200: { description: "The ticket.", schema: realtimeTokenResponse } },
  problems: ["rate_limited", "cache_connection_failed"],
});

export const negotiateDashboard = defineEndpoint({
  name: "realtimeNegotiate",
  at: "POST /realtime/dashboard/negotiate",
  access: "client",
  summary: "The address under which a dashboard hears live updates from Web PubSub",
  description: "404 where no Web PubSub is configured: dashboards then connect to the relay with a ticket to watch.",
  body: negotiateRequest.optional(),
  responses: { 200: { description: "The address.", schema: negotiateResponse } },
  problems: ["not_found", "upstream_unavailable", "cache_connection_failed"],
});

export const getBrowserStatus = defineEndpoint({
  name: "browserStatus",
  at: "GET /browser/status",
  access: "client",
  summary: "State of the browser sockets on all streaming hosts",
  responses: { 200: { description: "The current state.", schema: realtimeStatusResponse } },
});

export const getTelephonyHealth = defineEndpoint({
  name: "telephonyHealth",
  at: "GET /telephony/health",
  access: "open",
  summary: "Liveness of the telephony platform bridge",
  responses: { 200: { description: "The bridge's address answers.", schema: telephonyHealthResponse } },
});

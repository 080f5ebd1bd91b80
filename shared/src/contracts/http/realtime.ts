/** Spec sections 4.4 to 4.6: the sockets' status documents, and the ticket that lets a browser open one. */
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
  .strictObject({ session_id: idField.nullish().describe("Binds the ticket to one session.") })
  .meta({ id: "RealtimeTokenRequest" });

export const realtimeTokenResponse = z
  .object({
    ticket: z.string(),
    expires_in: z.int().describe("Seconds."),
    expires_at: timestampField,
    websocket_url: z.string(),
  })
  .meta({ id: "RealtimeTokenResponse" });

export const getRealtimeStatus = defineEndpoint({
  name: "realtimeStatus",
  method: "GET",
  path: "/realtime/status",
  tag: "Realtime",
  access: "client",
  summary: "State of the realtime sockets on all streaming hosts",
  responses: { 200: { description: "The current state.", schema: realtimeStatusResponse } },
});

export const createRealtimeToken = defineEndpoint({
  name: "realtimeToken",
  method: "POST",
  path: "/realtime/token",
  tag: "Realtime",
  access: "client",
  summary: "A ticket for one WebSocket",
  description: "A browser cannot set headers on a WebSocket. Pass the ticket as `?ticket=`; it works once, for 60 s.",
  body: realtimeTokenRequest.optional(),
  responses: { 200: { description: "The ticket.", schema: realtimeTokenResponse } },
  problems: ["cache_connection_failed"],
});

export const getBrowserStatus = defineEndpoint({
  name: "browserStatus",
  method: "GET",
  path: "/browser/status",
  tag: "Browser",
  access: "client",
  summary: "State of the browser sockets on all streaming hosts",
  responses: { 200: { description: "The current state.", schema: realtimeStatusResponse } },
});

export const getTelephonyHealth = defineEndpoint({
  name: "telephonyHealth",
  method: "GET",
  path: "/telephony/health",
  tag: "Telephony",
  access: "open",
  summary: "Liveness of the telephony platform bridge",
  responses: { 200: { description: "The bridge's address answers.", schema: telephonyHealthResponse } },
});

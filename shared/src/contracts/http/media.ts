/** Media streaming. */
import { z } from "zod";
import { defineEndpoint } from "./endpoint.ts";
import { idField, timestampField } from "./fields.ts";

export const mediaStatusResponse = z
  .object({
    status: z.enum(["available", "degraded", "unavailable"]),
    streaming_mode: z.string(),
    websocket_endpoint: z.string(),
    protocols_supported: z.array(z.string()),
    features: z.record(z.string(), z.boolean()),
    active_streams: z.int(),
    configuration: z.object({ sample_rate: z.int(), channels: z.int(), audio_format: z.string(), chunk_size: z.int() }),
    version: z.string(),
  })
  .meta({ id: "MediaStatusResponse" });

export const mediaSessionRequest = z
  .strictObject({
    call_connection_id: idField,
    sample_rate: z.int().min(1).max(192_000).nullish().describe("Hertz; 16000 where absent.").meta({ default: 16_000 }),
    channels: z.int().min(1).max(8).nullish().describe("1 where absent.").meta({ default: 1 }),
    audio_format: z.string().min(1).max(32).nullish().describe("`pcm_16` where absent.").meta({ default: "pcm_16" }),
    chunk_size: z.int().min(1).max(65_536).nullish().describe("Bytes; 1024 where absent.").meta({ default: 1024 }),
    enable_transcription: z.boolean().nullish().describe("True where absent.").meta({ default: true }),
    enable_vad: z.boolean().nullish().describe("True where absent.").meta({ default: true }),
  })
  .meta({ id: "MediaSessionRequest" });

const mediaConfiguration = z.object({
  channels: z.int(),
  chunk_size: z.int(),
  format: z.string(),
  sample_rate: z.int(),
});

export const mediaSessionResponse = z
  .object({
    session_id: z.string(),
    websocket_url: z.string(),
    status: z.string(),
    created_at: timestampField,
    configuration: mediaConfiguration,
  })
  .meta({ id: "MediaSessionResponse" });

export const mediaSessionStatus = z
  .object({
    session_id: z.string(),
    status: z.string(),
    connection_state: z
      .enum(["pending", "connected", "disconnected"])
      .describe("`pending` until its first socket opens, `disconnected` while none is open after that."),
    websocket_connected: z.boolean(),
    call_connection_id: z.string(),
    created_at: timestampField,
    configuration: mediaConfiguration,
    enable_transcription: z.boolean(),
    enable_vad: z.boolean(),
    api_version: z.string(),
    version: z.string(),
  })
  .meta({ id: "MediaSessionStatus" });

export const getMediaStatus = defineEndpoint({
  name: "mediaStatus",
  at: "GET /media/status",
  access: "client",
  summary: "Media streaming configuration and the number of active streams",
  responses: { 200: { description: "The current state.", schema: mediaStatusResponse } },
});

export const createMediaSession = defineEndpoint({
  name: "mediaSessionsCreate",
  at: "POST /media/sessions",
  access: "client",
  summary: "Prepares a media stream and says where to connect",
  body: mediaSessionRequest,
  responses: { 200: { description: "Where to connect.", schema: mediaSessionResponse } },
  problems: ["rate_limited", "audio_format_unsupported", "cache_connection_failed"],
});

export const getMediaSession = defineEndpoint({
  name: "mediaSessionsGet",
  at: "GET /media/sessions/{session_id}",
  access: "client",
  summary: "State of one media session",
  params: z.object({ session_id: idField }),
  responses: { 200: { description: "The session.", schema: mediaSessionStatus } },
  problems: ["not_found", "session_expired", "cache_connection_failed"],
});

/** Announcements that the communication service itself plays to a call, because no agent can speak there. */
import { z } from "zod";
import { defineEndpoint } from "./endpoint.ts";

export const getAnnouncement = defineEndpoint({
  name: "callsAnnouncement",
  at: "GET /calls/announcements/{name}",
  access: "open",
  summary: "What the communication service plays to a call, as a WAV file",
  description:
    "Fetched by the communication service, which brings no token. The name is 22 characters that nobody else " +
    "is told, and the file is there for as long as a call may need it.",
  params: z.object({ name: z.string().regex(/^[A-Za-z0-9_-]{22}$/) }),
  responses: { 200: { description: "PCM16, mono, 16 kHz.", contentType: "audio/wav", isBinary: true } },
  problems: ["not_found", "cache_connection_failed"],
});

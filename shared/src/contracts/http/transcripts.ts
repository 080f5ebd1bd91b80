/** A conversation's transcript, from its history, whether or not it was recorded. */
import { z } from "zod";
import { defineEndpoint } from "./endpoint.ts";
import { idField, timestampField, whichConversation } from "./fields.ts";
import { recordedWords } from "./recordings.ts";

const params = z.object({ session_id: idField });
const query = z.object(whichConversation);
const problems = ["not_found", "session_expired", "upstream_unavailable", "cache_connection_failed"] as const;

const spokenLine = recordedWords
  .extend({
    start_ms: z
      .int()
      .describe("Milliseconds after the conversation's beginning; worked out from the length of the text."),
    end_ms: z.int().describe("When it had been said."),
  })
  .meta({ id: "SpokenLine" });

export const writtenTranscript = z
  .object({
    session_id: z.string(),
    scenario: z.string(),
    channel: z.string(),
    started_at: timestampField,
    entries: z.array(spokenLine),
  })
  .meta({ id: "WrittenTranscript" });

export type SpokenLine = z.infer<typeof spokenLine>;
export type WrittenTranscript = z.infer<typeof writtenTranscript>;

export const getWrittenTranscript = defineEndpoint({
  name: "sessionsTranscript",
  at: "GET /sessions/{session_id}/transcript",
  access: "client",
  summary: "What was said",
  params,
  query,
  responses: { 200: { description: "In the order in which it was said.", schema: writtenTranscript } },
  problems,
});

export const getTranscriptText = defineEndpoint({
  name: "sessionsTranscriptText",
  at: "GET /sessions/{session_id}/transcript/text",
  access: "client",
  summary: "What was said, for people to read",
  params,
  query,
  responses: { 200: { description: "A line for each.", contentType: "text/plain; charset=utf-8" } },
  problems,
});

export const getTranscriptCaptions = defineEndpoint({
  name: "sessionsTranscriptCaptions",
  at: "GET /sessions/{session_id}/transcript/captions",
  access: "client",
  summary: "What was said, as captions",
  params,
  query,
  responses: { 200: { description: "WebVTT.", contentType: "text/vtt; charset=utf-8" } },
  problems,
});

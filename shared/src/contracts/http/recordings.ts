/** Recordings of a conversation: the audio, and what was said in it. */
import { z } from "zod";
import { defineEndpoint } from "./endpoint.ts";
import { idField, timestampField, whichConversation } from "./fields.ts";
import { problem } from "./problem.ts";

const params = z.object({ session_id: idField });

export const recordingStatuses = ["recording", "complete", "incomplete", "interrupted", "failed"] as const;

/** One per socket that carried the conversation. */
export const sessionRecording = z
  .object({
    recording_id: z.string(),
    status: z
      .enum(recordingStatuses)
      .describe(
        "`recording`: it goes on. `incomplete`: some of it is silence because the storage failed. " +
          "`interrupted`: its host went away; what was written until then is there. `failed`: nothing could be written.",
      ),
    started_at: timestampField,
    duration_ms: z.int().nullable().describe("Null until it has ended."),
    lost_ms: z.int().describe("How much of it the storage did not take."),
    sample_rate: z.int(),
    channels: z.array(z.enum(["caller", "agent"])).describe("From left to right."),
  })
  .meta({ id: "SessionRecording" });

export const recordedWords = z
  .object({
    speaker: z.enum(["caller", "agent"]),
    agent: z
      .string()
      .nullable()
      .describe("Which agent spoke; null for the caller, and for a person in the agent's place."),
    text: z.string(),
    start_ms: z.int().describe("Milliseconds of the recording."),
    end_ms: z.int(),
    turn_id: z.string(),
    interrupted: z.boolean().describe("The caller spoke over it: `text` is what was heard."),
  })
  .meta({ id: "RecordedWords" });

/** The metadata of one recording. */
export const recordedTranscript = z
  .object({
    session_id: z.string(),
    recording_id: z.string(),
    started_at: timestampField,
    duration_ms: z.int().nullable().describe("Null until it has ended."),
    sample_rate: z.int(),
    channels: z.array(z.enum(["caller", "agent"])),
    entries: z.array(recordedWords),
  })
  .meta({ id: "RecordedTranscript" });

export const sessionTranscript = z
  .object({
    session_id: z.string(),
    started_at: timestampField,
    duration_ms: z.int(),
    recordings: z.array(z.object({ recording_id: z.string(), start_ms: z.int(), duration_ms: z.int() })),
    entries: z.array(recordedWords),
  })
  .meta({ id: "SessionTranscript" });

export type RecordedWords = z.infer<typeof recordedWords>;
export type RecordedTranscript = z.infer<typeof recordedTranscript>;
export type SessionTranscript = z.infer<typeof sessionTranscript>;

const query = z.object({
  ...whichConversation,
  recording_id: idField
    .optional()
    .describe("One of the session's recordings; all of them, one after the other, where absent."),
});

const problems = [
  "not_found",
  "session_expired",
  "conflict",
  "upstream_unavailable",
  "cache_connection_failed",
] as const;

export const getRecording = defineEndpoint({
  name: "sessionsRecording",
  at: "GET /sessions/{session_id}/recording",
  access: "client",
  summary: "The recording of a conversation, as a WAV file",
  description:
    "Caller left, agent right, PCM16. Several recordings (a call that another host took over) follow each other with the " +
    "silence that was between them, at most 30 s. A `Range` of bytes is answered with 206 and at most 8 MiB.",
  params,
  query,
  responses: {
    200: { description: "The whole file.", contentType: "audio/wav", isBinary: true },
    206: { description: "The part that `Range` asks for.", contentType: "audio/wav", isBinary: true },
    416: { description: "`Range` begins behind the end; `Content-Range` says where that is.", schema: problem },
  },
  problems,
});

export const getTranscript = defineEndpoint({
  name: "sessionsRecordingTranscript",
  at: "GET /sessions/{session_id}/recording/transcript",
  access: "client",
  summary: "What was said in the recording, with its times",
  params,
  query,
  responses: { 200: { description: "In the order of its beginning.", schema: sessionTranscript } },
  problems,
});

export const getCaptions = defineEndpoint({
  name: "sessionsRecordingCaptions",
  at: "GET /sessions/{session_id}/recording/captions",
  access: "client",
  summary: "What was said in the recording, as captions",
  params,
  query,
  responses: { 200: { description: "WebVTT.", contentType: "text/vtt; charset=utf-8" } },
  problems,
});

/**
 * Translates a service's events into ours. It is lenient on purpose: it names only the fields we use, and an event that is unknown or lacks
 * those fields becomes `unknown` rather than causing an exception. The names are those of the beta protocol, which Voice Live still uses
 * (`response.audio.delta`); a dialect with OpenAI's later names maps them back to these.
 */
import { z } from "zod";
import { parseJson } from "@voice/shared/platform/parse-json";
import { awaitedEvents, isFields, type Fields } from "./awaited-events.ts";
import type { ParsedEvent } from "./parsed-event.ts";
import { failure, readError, readWarning, toRealtimeError, transcriptionFailure } from "./server-errors.ts";
import { responseUsage, toTranscriptionUsage, toUsage, transcriptionUsage } from "./usage.ts";

type Reader = (raw: Fields) => ParsedEvent | undefined;

export interface EventNames {
  /** The event's name in the beta protocol. */
  betaName(name: string): string;
}

/** Progress events that contain nothing new, because other events report the same. */
const uninteresting = [
  "input_audio_buffer.cleared",
  "conversation.item.created",
  "conversation.item.deleted",
  "response.output_item.added",
  "response.content_part.added",
  "response.content_part.done",
  "response.function_call_arguments.delta",
  "response.audio_timestamp.done",
  "response.text.done",
];

const itemId = z.string();
const tool = { call_id: z.string(), name: z.string(), arguments: z.string() };
const calledTool = z.object({ response_id: z.string(), ...tool });
const finishedCall = z.object({
  response_id: z.string(),
  item: z.object({ type: z.literal("function_call"), ...tool }),
});
const inResponse = { response_id: z.string(), item_id: z.string() };

const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ...Object.entries(awaitedEvents),
  ["warning", readWarning],
  ["session.created", () => ({ type: "session-created" })],
  ["session.updated", ({ session }) => ({ type: "session-updated", turnDetection: turnDetectionOf(session) })],
  read("input_audio_buffer.committed", z.object({ item_id: itemId }), (event) => ({
    type: "audio-committed",
    itemId: event.item_id,
  })),
  read(
    "conversation.item.input_audio_transcription.delta",
    z.object({ item_id: itemId, delta: z.string().nullish() }),
    (event) => ({ type: "user-transcript-delta", itemId: event.item_id, delta: event.delta ?? "" }),
  ),
  read(
    "conversation.item.input_audio_transcription.completed",
    z.object({ item_id: itemId, transcript: z.string(), usage: transcriptionUsage.nullish().catch(undefined) }),
    ({ item_id, transcript, usage }) => ({
      type: "user-transcript-finished",
      itemId: item_id,
      text: transcript.trim(),
      usage: usage == null ? undefined : toTranscriptionUsage(usage),
    }),
  ),
  read(
    "conversation.item.input_audio_transcription.failed",
    z.object({ item_id: itemId, error: failure }),
    ({ item_id, error }) => ({
      type: "user-transcript-failed",
      itemId: item_id,
      error: transcriptionFailure(error?.code ?? error?.type ?? "unknown"),
    }),
  ),
  read("conversation.item.truncated", z.object({ item_id: itemId, audio_end_ms: z.number() }), (event) => ({
    type: "item-truncated",
    itemId: event.item_id,
    atMs: event.audio_end_ms,
  })),
  read("response.audio.done", z.object(inResponse), (event) => ({
    type: "audio-finished",
    responseId: event.response_id,
    itemId: event.item_id,
  })),
  read("response.audio_transcript.delta", z.object({ ...inResponse, delta: z.string() }), toAgentText),
  read("response.text.delta", z.object({ ...inResponse, delta: z.string() }), toAgentText),
  read("response.audio_transcript.done", z.object({ ...inResponse, transcript: z.string() }), (event) => ({
    type: "agent-text-finished",
    responseId: event.response_id,
    itemId: event.item_id,
    text: event.transcript,
  })),
  read(
    "response.audio_timestamp.delta",
    z.object({ item_id: itemId, audio_offset_ms: z.number(), audio_duration_ms: z.number(), text: z.string() }),
    ({ item_id, audio_offset_ms: startMs, audio_duration_ms: durationMs, text }) => ({
      type: "word",
      itemId: item_id,
      text,
      startMs,
      endMs: startMs + durationMs,
    }),
  ),
  // Both report a call, because services that follow the beta protocol leave the tool's name out of the first.
  [
    "response.function_call_arguments.done",
    (raw) => {
      const call = calledTool.safeParse(raw).data;
      return call === undefined ? { type: "nothing" } : toToolCall(call.response_id, call);
    },
  ],
  [
    "response.output_item.done",
    (raw) => {
      const call = finishedCall.safeParse(raw).data;
      return call === undefined ? { type: "nothing" } : toToolCall(call.response_id, call.item);
    },
  ],
  read(
    "response.done",
    z.object({
      response: z.object({
        id: z.string(),
        status: z.string().nullish(),
        status_details: z
          .object({ reason: z.string().nullish().catch(undefined), error: failure })
          .nullish()
          .catch(undefined),
        usage: responseUsage.nullish().catch(undefined),
      }),
    }),
    ({ response: { id, status, status_details: details, usage } }) => ({
      type: "response-finished",
      responseId: id,
      status: status === "cancelled" || status === "incomplete" || status === "failed" ? status : "completed",
      ...(status === "incomplete" && cutOf(details?.reason)),
      ...(status === "failed" && details?.error != null && { error: toRealtimeError(details.error) }),
      ...(usage != null && { usage: toUsage(usage) }),
    }),
  ),
  ...uninteresting.map((name): [string, Reader] => [name, () => ({ type: "nothing" })]),
]);

/** In the beta it is in the session itself, in the later protocol in the session's input. */
function turnDetectionOf(session: unknown): Fields | undefined {
  const places = isFields(session) ? [session, nested(nested(session, "audio"), "input")] : [];
  return places.map((place) => nested(place, "turn_detection")).find((detection) => detection !== undefined);
}

function nested(value: Fields | undefined, name: string): Fields | undefined {
  const field = value?.[name];
  return isFields(field) ? field : undefined;
}

function cutOf(reason: string | null | undefined): { readonly cut?: "length" | "content_filter" } {
  if (reason === "max_output_tokens") return { cut: "length" };
  return reason === "content_filter" ? { cut: "content_filter" } : {};
}

function toToolCall(
  responseId: string,
  { call_id: id, name, arguments: argumentsJson }: Omit<z.infer<typeof calledTool>, "response_id">,
): ParsedEvent {
  return { type: "tool-call", responseId, call: { id, name, argumentsJson } };
}

export function parseServerEvent(text: string, names: EventNames): ParsedEvent {
  const raw = parseLong(text) ?? parseJson(text);
  if (!isFields(raw) || typeof raw["type"] !== "string") return { type: "unknown", name: "", raw };
  const name = raw["type"];
  const event = name === "error" ? readError(raw) : readers.get(names.betaName(name))?.(raw);
  return event ?? { type: "unknown", name, raw };
}

function read<Schema extends z.ZodType>(
  type: string,
  schema: Schema,
  toEvent: (event: z.infer<Schema>) => ParsedEvent,
): [string, Reader] {
  return [
    type,
    (raw) => {
      const event = schema.safeParse(raw);
      return event.success ? toEvent(event.data) : undefined;
    },
  ];
}

function toAgentText(event: { response_id: string; item_id: string; delta: string }): ParsedEvent {
  return { type: "agent-text", responseId: event.response_id, itemId: event.item_id, delta: event.delta };
}

/** A longer text is audio: 200 ms of it have 13,000 characters. */
const longestText = 1000;
const deltaStart = '"delta":"';

/**
 * Extracts a long delta before the rest is parsed, because `JSON.parse` examines and copies each of its characters: 10 of the 15 µs that
 * 200 ms of audio took. Undefined if there is no long delta, or if it is written in another way.
 */
function parseLong(text: string): unknown {
  if (text.length < longestText) return undefined;
  const from = text.indexOf(deltaStart) + deltaStart.length;
  const until = text.indexOf('"', from);
  if (from < deltaStart.length || until < from) return undefined;
  const delta = text.slice(from, until);
  if (delta.includes("\\")) return undefined;
  const rest = parseJson(text.slice(0, from) + text.slice(until));
  // Only a delta at the top level is meant.
  return isFields(rest) && rest["delta"] === "" ? { ...rest, delta } : undefined;
}

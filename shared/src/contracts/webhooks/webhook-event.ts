/**
 * What the service reports to other servers about calls and conversations, in the form of Standard Webhooks
 * (https://www.standardwebhooks.com). Ids and states only: names, numbers and transcripts stay behind the links, except for what
 * an agent's file has sent (`session.noted`).
 */
import { z } from "zod";
import { callStatuses } from "../calls/call-status.ts";

const time = z.iso.datetime();
const link = z
  .url()
  .nullable()
  .describe("Where to read what was said, with a token of this service; null where BASE_URL is not set.");

const envelope = {
  version: z.literal(1).describe("Grows when a receiver has to change; new fields and types may come at any time."),
  id: z.string().describe("The same in every attempt and in the header `webhook-id`: whoever knows it may ignore it."),
  timestamp: time.describe("When it happened."),
};

const callData = z.object({
  call_id: z.string(),
  call_connection_id: z.string().nullable(),
  session_id: z.string(),
  direction: z.enum(["inbound", "outbound"]),
  scenario: z.string().nullable(),
  status: z.enum(callStatuses).describe("As it was when the event happened, or shortly after."),
  answered_by: z
    .enum(["machine", "menu", "not_in_service"])
    .nullable()
    .describe(
      "Null unless something suggests that it was not a person: a mailbox, a telephone menu, or the network's announcement that the number leads to nobody.",
    ),
  handed_over: z.boolean().describe("Whether the caller was connected to somebody else."),
  failure: z.string().nullable().describe("Why it failed, as a word for programs; null where it did not."),
  service_code: z
    .number()
    .nullable()
    .describe("The code with which the communication service reported the end; null where it reported none."),
  service_sub_code: z.number().nullable().describe("Likewise, its sub-code."),
  end_reason: z
    .string()
    .nullable()
    .describe("Why a call that was talked on is over, as `GET /calls/` says it; null where it failed or goes on."),
  created_at: time,
  connected_at: time.nullable(),
  ended_at: time.nullable(),
  transcript_url: link,
});

const sessionData = z.object({
  session_id: z.string(),
  call_connection_id: z.string().nullable(),
  channel: z.string(),
  streaming_mode: z.string(),
  scenario: z.string(),
  active_agent: z.string(),
  end_reason: z.string().nullable().describe("As `GET /sessions/{id}` says it."),
  turns: z.int().describe("How many turns the conversation had."),
  created_at: time,
  ended_at: time,
  transcript_url: link,
});

const notedData = z.object({
  session_id: z.string(),
  call_connection_id: z.string().nullable(),
  channel: z.string(),
  scenario: z.string(),
  outcome: z.string().nullable().describe("One of those that the agents' files name; null where none came about."),
  summary: z.string().nullable().describe("Null unless the files say that it is sent."),
  fields: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
    .nullable()
    .describe("Null unless the files say that they are sent; a value is null where the conversation does not tell it."),
  created_at: time,
  ended_at: time,
  transcript_url: link,
});

function eventOf<Type extends string, Data extends z.ZodType>(type: Type, data: Data) {
  return z.object({ ...envelope, type: z.literal(type), data });
}

/** In the order of the documents. The key is the event's type. */
export const webhookEvents = {
  "call.ended": {
    summary: "A phone call was answered and is over",
    schema: eventOf("call.ended", callData).meta({ id: "CallEndedEvent" }),
  },
  "call.handed_over": {
    summary: "The caller was connected to somebody else, and the agents have left",
    schema: eventOf("call.handed_over", callData).meta({ id: "CallHandedOverEvent" }),
  },
  "call.failed": {
    summary: "A phone call did not come about",
    schema: eventOf("call.failed", callData).meta({ id: "CallFailedEvent" }),
  },
  "session.ended": {
    summary: "A conversation is over, on whatever channel",
    schema: eventOf("session.ended", sessionData).meta({ id: "SessionEndedEvent" }),
  },
  "session.noted": {
    summary: "What came of a conversation was noted, as its agents' files ask for",
    schema: eventOf("session.noted", notedData).meta({ id: "SessionNotedEvent" }),
  },
} as const;

export const webhookTypes = [
  "call.ended",
  "call.handed_over",
  "call.failed",
  "session.ended",
  "session.noted",
] as const;
export type WebhookType = (typeof webhookTypes)[number];

export type CallEventData = z.input<typeof callData>;
export type SessionEventData = z.input<typeof sessionData>;
export type NotedEventData = z.input<typeof notedData>;

/** The headers of a delivery. */
export const webhookHeaders = {
  "webhook-id": "The event's id.",
  "webhook-timestamp": "When this attempt was made, in seconds since 1970; a receiver refuses what is old.",
  "webhook-signature":
    "`v1,` and the base64 of the HMAC-SHA256 of `id.timestamp.body`; several with spaces between while a secret is replaced.",
} as const;

/** How a conversation went, in the detail in which it was stored: messages, requests to models, and decisions. */
import { z } from "zod";
import { defineEndpoint } from "./endpoint.ts";
import { freeForm, idField, timestampField, whichConversation } from "./fields.ts";

const params = z.object({ session_id: idField });
const query = z.object(whichConversation);

const storedMessage = z
  .looseObject({ type: z.string(), timestamp: timestampField })
  .describe("As those who watched were sent it; the AsyncAPI document describes each type.");

export const sessionMessagesResponse = z
  .object({
    session_id: z.string(),
    is_complete: z
      .boolean()
      .describe("False where earlier ones are no longer stored, or an older version of the service stored none."),
    messages: z.array(storedMessage).describe("The oldest first."),
  })
  .meta({ id: "SessionMessages" });

const modelRequest = z
  .object({
    at: timestampField,
    kind: z.enum(["language_model", "realtime_model"]),
    agent: z.string().nullable(),
    model: z
      .string()
      .nullable()
      .describe("The name of the deployment, or of the model that answered; null where it has none."),
    settings: freeForm,
    messages: z
      .array(freeForm)
      .describe("As they were sent, the prompt first. Of a realtime model, only what is new to it."),
    tools: z.array(freeForm).describe("Those that the model might call."),
    outcome: z.enum(["completed", "failed", "cancelled", "sent"]),
    first_event_ms: z.number().nullable().describe("Until the first piece of the answer; null where there was none."),
    took_ms: z.number().nullable(),
    finish_reason: z.string().nullable(),
    usage: freeForm.nullable(),
    is_too_long: z
      .boolean()
      .describe("It had more than 200,000 characters, and neither messages nor tools are stored."),
  })
  .meta({ id: "ModelRequest" });

export type DescribedRequest = z.infer<typeof modelRequest>;

export const modelRequestsResponse = z
  .object({ session_id: z.string(), requests: z.array(modelRequest).describe("The newest 200, the oldest first.") })
  .meta({ id: "ModelRequests" });

export const flightRecordResponse = z
  .object({
    session_id: z.string(),
    messages: z.array(storedMessage).describe("What those who watched were sent: words, tools, handoffs, failures."),
    model_requests: z
      .array(modelRequest)
      .nullable()
      .describe("What models were sent; null for those who are no operators."),
    segments: z
      .array(freeForm)
      .describe(
        "Pieces, the oldest first: a state of the turn machine, the events that it met from there, and what it decided. Their form is the streaming host's own; `npm run replay` reads it.",
      ),
  })
  .meta({ id: "FlightRecord" });

export const getSessionMessages = defineEndpoint({
  name: "sessionsMessages",
  isCompressed: true,
  at: "GET /sessions/{session_id}/messages",
  access: "client",
  summary: "Everything that those who watched were sent",
  description:
    "Words, tools with their durations, handoffs, failures, guardrails and times of turns, as they happened; also while the conversation goes on. " +
    "Levels and what was recognised so far are not stored, and the pieces of an answer are stored as one. Deleted with the session, when its day is over.",
  params,
  query,
  responses: { 200: { description: "In the order in which they were sent.", schema: sessionMessagesResponse } },
  problems: ["not_found", "session_expired", "upstream_unavailable", "cache_connection_failed"],
});

export const getModelRequests = defineEndpoint({
  name: "sessionsModelRequests",
  isCompressed: true,
  at: "GET /sessions/{session_id}/model-requests",
  access: "operator",
  isAudited: true,
  summary: "What the conversation's models were sent",
  description: "Prompts, messages and tools as they were sent. Deleted with the session, when its day is over.",
  params,
  query,
  responses: { 200: { description: "Where FLIGHT_RECORDER was on.", schema: modelRequestsResponse } },
  problems: ["not_found", "session_expired", "upstream_unavailable", "cache_connection_failed"],
});

export const getFlightRecord = defineEndpoint({
  name: "sessionsFlightRecord",
  isCompressed: true,
  at: "GET /sessions/{session_id}/flight-record",
  access: "client",
  summary: "What the turn machine met and decided, for `npm run replay`",
  description: "Deleted with the session, when its day is over.",
  params,
  query,
  responses: { 200: { description: "Where FLIGHT_RECORDER was on.", schema: flightRecordResponse } },
  problems: ["not_found", "session_expired", "upstream_unavailable", "cache_connection_failed"],
});

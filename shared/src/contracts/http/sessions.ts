/** Spec section 4.8: what a conversation has said so far. */
import { z } from "zod";
import { callDirections } from "./calls.ts";
import { defineEndpoint } from "./endpoint.ts";
import { costField, usageItem } from "./costs.ts";
import {
  freeForm,
  idField,
  queryBoolean,
  queryInteger,
  querySearch,
  queryTime,
  timestampField,
  whichConversation,
} from "./fields.ts";
import { sessionRecording } from "./recordings.ts";

const tag = "Sessions";
const params = z.object({ session_id: idField });
const query = z.object(whichConversation);

const promptVersion = z
  .string()
  .optional()
  .describe("Which of the agent's prompts this session has (`v2` for `prompt.v2.md`), where there are several.");

const conversationItem = z
  .object({
    role: z.enum(["user", "assistant", "tool", "system"]),
    content: z.string(),
    agent: z.string(),
    prompt_version: promptVersion,
    turn_id: z.string(),
    timestamp: timestampField.describe("When it was over, or stored."),
    began_at: timestampField
      .optional()
      .describe("When its turn began, which is the order of the items; absent where an older version stored it."),
    interrupted: z.boolean(),
    cut: z
      .enum(["length", "content_filter"])
      .nullable()
      .describe("Why the model stopped before the end of its answer, where it did."),
    author: z
      .enum(["operator", "person"])
      .optional()
      .describe("`operator`: the agent spoke an operator's line. `person`: a person who had taken over said it."),
    guardrails: z
      .array(z.string())
      .readonly()
      .optional()
      .describe("Which of the agent's guardrails held back a part of this answer, where one did."),
    tool_calls: z
      .array(
        z.object({ id: z.string(), name: z.string(), arguments: z.string().describe("JSON, as the model wrote it.") }),
      )
      .optional()
      .describe("Which tools the agent called, where it did."),
    tool_call_id: z.string().optional().describe("Which of those calls this is the result of."),
    late: z
      .literal(true)
      .optional()
      .describe("A host that had lost the conversation to another one wrote this afterwards; no model is told it."),
  })
  .meta({ id: "ConversationItem" });

const sessionFailure = z
  .object({
    code: z.string(),
    message: z.string().describe("What could not be done, and the reason where one is known."),
    timestamp: timestampField,
  })
  .meta({ id: "SessionFailure" });

export const sessionState = z
  .object({
    session_id: z.string(),
    status: z.enum(["active", "ended"]),
    end_reason: z
      .string()
      .nullable()
      .describe("Why it ended, such as `caller_left` or `operator`; null while it goes on, or where nobody knows."),
    scenario: z.string(),
    release: z
      .int()
      .optional()
      .describe(
        "The published version with which it began; 0 for the catalog's files alone, and absent where an older version stored it.",
      ),
    active_agent: z.string(),
    conversation_history: z.array(conversationItem),
    channel: z.string(),
    user_email: z.string().nullable().describe("As the client that connected said; unproved."),
    streaming_mode: z.string(),
    created_at: timestampField,
    last_activity_at: timestampField,
    memory: freeForm,
    failures: z
      .array(sessionFailure)
      .describe("The last 20 failures that its peer and those who watched were told of, the oldest first."),
    recordings: z.array(sessionRecording).describe("In the order of their beginning; empty where nothing is recorded."),
    cost: costField,
    usage: z.array(usageItem).describe("What it has used of services that are paid for, by agent."),
  })
  .meta({ id: "SessionState" });

export const sessionSummary = sessionState
  .omit({ conversation_history: true, memory: true, failures: true, recordings: true, usage: true })
  .meta({ id: "SessionSummary" });

const carryingCall = z
  .object({
    call_id: z.string(),
    direction: z.enum(callDirections),
    far_number: z
      .string()
      .nullable()
      .describe("Of the other side: who calls, or who is called; null where the network hides it."),
  })
  .meta({ id: "CarryingCall" });

const listedSession = sessionSummary
  .extend({
    call: carryingCall
      .nullable()
      .describe("The phone call that carries it; null on other channels, and in the archive."),
    failure_count: z
      .int()
      .nullable()
      .describe("How many of the last 20 failures `GET /sessions/{id}` has of it; null in the archive's list."),
  })
  .meta({ id: "ListedSession" });

export const sessionListResponse = z
  .object({
    sessions: z.array(listedSession),
    total: z.int(),
    page: z.int(),
    limit: z.int(),
  })
  .meta({ id: "SessionListResponse" });

export const sessionResetResponse = z
  .object({
    session_id: z.string().describe("The new conversation."),
    previous_session_id: z.string(),
    status: z.literal("reset"),
    scenario: z.string(),
    active_agent: z.string(),
    created_at: timestampField,
    message: z.string(),
  })
  .meta({ id: "SessionResetResponse" });

export const sessionDeleteResponse = z
  .object({ status: z.literal("success"), session_id: z.string(), message: z.string() })
  .meta({ id: "SessionDeleteResponse" });

const latencyFigures = z.object({
  avg: z.number(),
  min: z.number(),
  max: z.number(),
  p50: z.number(),
  p95: z.number().nullable().describe("Null below 20 turns."),
  p99: z.number().nullable().describe("Null below 100 turns."),
  count: z.int(),
});

export type LatencyFigures = z.infer<typeof latencyFigures>;

export const sessionMetricsResponse = z
  .object({
    session_id: z.string(),
    turn_count: z.int(),
    latency_summary: z.record(z.string(), latencyFigures).describe("Milliseconds, by stage."),
    turns: z.array(
      z.object({
        turn_id: z.string(),
        agent: z.string(),
        prompt_version: promptVersion,
        timestamp: timestampField,
        marks: z.record(z.string(), z.number()).describe("Milliseconds after the user stopped."),
        why: z
          .array(z.string())
          .describe(
            "What told that the caller had finished, such as `whole_sentence`; empty where nothing was waited for.",
          ),
        usage: z.array(usageItem).optional().describe("What was used since the turn before."),
        cost: costField.optional(),
      }),
    ),
  })
  .meta({ id: "SessionMetricsResponse" });

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

export const listSessions = defineEndpoint({
  name: "sessionsList",
  method: "GET",
  path: "/sessions",
  tag,
  access: "client",
  summary: "Conversations, the most recently active first",
  description:
    "With `status_filter`, `channel`, `from` or `to`, those that began, went on again or ended last are first. `search` finds " +
    "one conversation by its id or its call's, or those of the newest hundred calls with a number.",
  query: z.object({
    limit: queryInteger({ min: 1, max: 200, default: 50, description: "Sessions per page." }),
    page: queryInteger({ min: 1, max: 1_000_000, default: 1, description: "1-based." }),
    status_filter: z.enum(["active", "ended"]).optional().describe("Only conversations in this status."),
    channel: z
      .enum(["phone", "browser", "media", "telephony"])
      .optional()
      .describe("Only conversations on this channel."),
    from: queryTime("Only conversations that began, went on again or ended at this time or later."),
    to: queryTime("Only conversations that did so before this time."),
    search: querySearch(
      "A conversation's id, a call's id (ours or the communication service's), or a caller's number (E.164).",
    ),
    archived: queryBoolean(
      "The archived ones instead, without a filter: those that have ended, also when their day is over.",
    ),
  }),
  responses: { 200: { description: "One page.", schema: sessionListResponse } },
  problems: ["not_found", "upstream_unavailable", "cache_connection_failed"],
});

export const getSession = defineEndpoint({
  name: "sessionsGet",
  method: "GET",
  path: "/sessions/{session_id}",
  tag,
  access: "client",
  summary: "A conversation: scenario, active agent, history",
  description: "From the archive, where there is one, when its day is over.",
  params,
  query,
  responses: { 200: { description: "Its state.", schema: sessionState } },
  problems: ["not_found", "session_expired", "upstream_unavailable", "cache_connection_failed"],
});

export const resetSession = defineEndpoint({
  name: "sessionsReset",
  method: "POST",
  path: "/sessions/{session_id}/reset",
  tag,
  access: "client",
  summary: "A new conversation with a new id and cleared state",
  description: "The old one ends. If it is in progress, its agent says goodbye first.",
  params,
  responses: { 200: { description: "The new conversation.", schema: sessionResetResponse } },
  problems: ["rate_limited", "not_found", "session_expired", "cache_connection_failed"],
});

export const deleteSession = defineEndpoint({
  name: "sessionsDelete",
  method: "DELETE",
  path: "/sessions/{session_id}",
  tag,
  access: "client",
  summary: "Forgets a conversation, its recordings, and what is archived of it",
  description:
    "One that is in progress ends, after its agent has said goodbye. Earlier ones of its owner under the same id are forgotten too; those of others stay.",
  params,
  responses: { 200: { description: "Forgotten.", schema: sessionDeleteResponse } },
  problems: ["not_found", "session_expired", "upstream_unavailable", "cache_connection_failed"],
});

export const getSessionMetrics = defineEndpoint({
  name: "sessionsMetrics",
  method: "GET",
  path: "/sessions/{session_id}/metrics",
  tag,
  access: "client",
  summary: "The latency waterfall of each turn",
  description: "From the archive, where there is one, when its day is over.",
  params,
  query,
  responses: { 200: { description: "Milliseconds after the user stopped.", schema: sessionMetricsResponse } },
  problems: ["not_found", "session_expired", "upstream_unavailable", "cache_connection_failed"],
});

export const getSessionMessages = defineEndpoint({
  name: "sessionsMessages",
  isCompressed: true,
  method: "GET",
  path: "/sessions/{session_id}/messages",
  tag,
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
  method: "GET",
  path: "/sessions/{session_id}/model-requests",
  tag,
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
  method: "GET",
  path: "/sessions/{session_id}/flight-record",
  tag,
  access: "client",
  summary: "What the turn machine met and decided, for `npm run replay`",
  description: "Deleted with the session, when its day is over.",
  params,
  query,
  responses: { 200: { description: "Where FLIGHT_RECORDER was on.", schema: flightRecordResponse } },
  problems: ["not_found", "session_expired", "upstream_unavailable", "cache_connection_failed"],
});

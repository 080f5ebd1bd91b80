/** Conversations: what was said in them so far. */
import { z } from "zod";
import { callDirections } from "./calls.ts";
import { defineEndpoint } from "./endpoint.ts";
import { costField, usageItem } from "./costs.ts";
import { sessionAfterCall } from "./after-call.ts";
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
    with_person_since: timestampField
      .nullable()
      .optional()
      .describe("When a person took the agent's place; null while the agent has the conversation."),
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
    after_call: sessionAfterCall
      .nullish()
      .describe(
        "What was noted once it was over; null where the files name nothing, and for some seconds after its end.",
      ),
  })
  .meta({ id: "SessionState" });

export const sessionSummary = sessionState
  .omit({ conversation_history: true, memory: true, failures: true, recordings: true, usage: true, after_call: true })
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

export const listSessions = defineEndpoint({
  name: "sessionsList",
  at: "GET /sessions",
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
  at: "GET /sessions/{session_id}",
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
  at: "POST /sessions/{session_id}/reset",
  access: "client",
  summary: "A new conversation with a new id and cleared state",
  description: "The old one ends. If it is in progress, its agent says goodbye first.",
  params,
  responses: { 200: { description: "The new conversation.", schema: sessionResetResponse } },
  problems: ["rate_limited", "not_found", "session_expired", "cache_connection_failed"],
});

export const deleteSession = defineEndpoint({
  name: "sessionsDelete",
  at: "DELETE /sessions/{session_id}",
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
  at: "GET /sessions/{session_id}/metrics",
  access: "client",
  summary: "The latency waterfall of each turn",
  description: "From the archive, where there is one, when its day is over.",
  params,
  query,
  responses: { 200: { description: "Milliseconds after the user stopped.", schema: sessionMetricsResponse } },
  problems: ["not_found", "session_expired", "upstream_unavailable", "cache_connection_failed"],
});

/** Answers lists of conversations from the table of them, and mends rows that a host could not write before it died. */
import type { conversationRow, listConversations } from "@voice/shared/contracts/http/conversations";
import { callOutcomeOf } from "@voice/shared/contracts/calls/call-outcome";
import { durationOf, rowOfCall } from "@voice/shared/conversation/conversation-row";
import { normaliseSearch, shortestSearch } from "@voice/shared/conversation/conversation-labels";
import { describeCost } from "@voice/shared/costs/describe-usage";
import type {
  ConversationPage,
  ConversationPlace,
  ConversationQuery,
  ConversationRow,
} from "@voice/shared/state/ports/conversation-table";
import type { SessionRecord } from "@voice/shared/state/ports/session-store";
import type { State } from "@voice/shared/state/ports/state";
import { readRow } from "@voice/shared/state/tabulated-state";
import type { z } from "zod";
import { SchemaError } from "../http/validation.ts";
import { rangeOf } from "./time-range.ts";

type Request = z.output<typeof listConversations.query>;
type Stores = Pick<State, "conversations" | "sessions" | "calls" | "afterCalls">;

export function conversationQuery(
  request: Omit<Request, "limit" | "after">,
  owner: string | undefined,
): Omit<ConversationQuery, "limit" | "after"> {
  const { channel, direction, scenario, release, agent, outcome, end_reason: endReason, search } = request;
  const { min_answer_ms: minAnswerP95Ms, min_seconds: minSeconds, max_seconds: maxSeconds } = request;
  if (search !== undefined && normaliseSearch(search).length < shortestSearch)
    throw refused("search", `Should have at least ${shortestSearch} characters`);
  if (minSeconds !== undefined && maxSeconds !== undefined && minSeconds > maxSeconds)
    throw refused("max_seconds", "Should not be less than min_seconds");
  return {
    owner,
    channel,
    direction,
    scenario,
    release,
    agent,
    outcome,
    endReason,
    search,
    minAnswerP95Ms,
    isFailed: request.failed || undefined,
    isTransferred: request.transferred || undefined,
    minDurationMs: minSeconds && minSeconds * 1000,
    // Whole seconds are what lists show.
    maxDurationMs: maxSeconds === undefined ? undefined : maxSeconds * 1000 + 999,
    ...rangeOf(request),
  };
}

export async function findConversations(query: ConversationQuery, stores: Stores): Promise<ConversationPage> {
  const page = await stores.conversations.list(query);
  const rows = await Promise.all(page.rows.map((row) => mended(row, stores)));
  return { ...page, rows: rows.filter((row) => row !== undefined) };
}

/** A row says that its conversation continues, but whoever ended it may have died before the row was written. */
async function mended(row: ConversationRow, stores: Stores): Promise<ConversationRow | undefined> {
  const { sessionId, outcome } = row;
  if (outcome !== "in_progress") return row;
  const session = await stores.sessions.get(sessionId);
  if (session === "expired") {
    await stores.conversations.remove(sessionId);
    return undefined;
  }
  // A call that rings has no session yet.
  const current = session === "unknown" ? await ofCall(row, stores) : await ofSession(session, stores);
  if (current === "continues") return row;
  if (current !== undefined) await stores.conversations.put(current);
  return current;
}

async function ofSession({ sessionId, status }: SessionRecord, stores: Stores) {
  return status === "active" ? "continues" : readRow(sessionId, stores);
}

async function ofCall({ callId }: ConversationRow, { calls }: Stores) {
  const call = callId === undefined ? undefined : await calls.get(callId);
  return call === undefined || callOutcomeOf(call) === "in_progress" ? "continues" : rowOfCall(call);
}

export function describeConversation(row: ConversationRow, nowMs: number): z.input<typeof conversationRow> {
  return {
    session_id: row.sessionId,
    started_at: new Date(row.startedAtMs).toISOString(),
    ended_at: row.endedAtMs === undefined ? null : new Date(row.endedAtMs).toISOString(),
    duration_ms: Math.round(durationOf(row, nowMs)),
    channel: row.channel,
    direction: row.direction ?? null,
    call_id: row.callId ?? null,
    who: row.who ?? null,
    scenario: row.scenario ?? null,
    agents: [...row.agents],
    active_agent: row.agent ?? null,
    outcome: row.outcome,
    end_reason: row.endReason ?? null,
    turns: row.turnCount,
    answer_p95_ms: row.answerP95Ms ?? null,
    failures: row.failureCount,
    transferred: row.isTransferred,
    language: row.language ?? null,
    release: row.release ?? null,
    version: row.version ?? null,
    cost: describeCost(row.usage),
    noted: row.noted ?? null,
  };
}

export function formatPlace({ startedAtMs, sessionId }: ConversationPlace): string {
  return Buffer.from(`${startedAtMs} ${sessionId}`).toString("base64url");
}

/** Anybody may write an `after`, so it is read as strictly as everything else. */
export function parsePlace(text: string): ConversationPlace {
  const [, startedAtMs, sessionId] = /^(\d{1,16}) (\S{1,128})$/u.exec(Buffer.from(text, "base64url").toString()) ?? [];
  if (startedAtMs === undefined || sessionId === undefined) throw refused("after", "Should be the next of a page");
  return { startedAtMs: Number(startedAtMs), sessionId };
}

function refused(parameter: string, msg: string): SchemaError {
  return new SchemaError([{ loc: ["query", parameter], msg, type: "value_error" }]);
}

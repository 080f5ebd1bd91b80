/** The row of a conversation, from what is stored of its session, its turns and its call. Pure, so that any process may write it. */
import { isInListOf } from "../auth/tenant.ts";
import { callOutcomeOf } from "../contracts/calls/call-outcome.ts";
import type { ConversationOutcome } from "../contracts/conversations/conversation-outcome.ts";
import { percentile } from "../platform/percentile.ts";
import { farNumberOf, type CallRecord } from "../state/ports/call-store.ts";
import type {
  ConversationPage,
  ConversationPlace,
  ConversationQuery,
  ConversationRow,
} from "../state/ports/conversation-table.ts";
import type { SessionRecord, TurnMetrics } from "../state/ports/session-store.ts";
import type { AfterCallRecord } from "../state/records/after-call-store.ts";
import type { Noted } from "./after-call.ts";
import { isFoundBy } from "./conversation-labels.ts";
import { languageIn } from "./spoken-language.ts";

export interface StoredConversation {
  readonly session: SessionRecord;
  readonly turns: readonly TurnMetrics[];
  /** The phone call that carries it. */
  readonly call?: CallRecord | undefined;
  readonly afterCall?: AfterCallRecord | undefined;
}

/** The mark of the moment at which the agent's first sound left. */
export const answeredMark = "first_audio_ms";

/** End reasons that are a failure of the service, or of something that it depends on. */
export const failedEnds: ReadonlySet<string> = new Set([
  "realtime_lost",
  "recogniser_lost",
  "voice_failed",
  "too_many_failures",
  "internal_error",
  "internal",
  "failed",
  "host_lost",
]);
/** It failed, or did not come about. */
export const failedOutcomes: ReadonlySet<string> = new Set<ConversationOutcome>([
  "failed",
  "busy",
  "declined",
  "no_answer",
]);
const transferEnds: ReadonlySet<string> = new Set(["transfer", "transferred"]);
const voicemailEnds: ReadonlySet<string> = new Set(["voicemail", "voicemail_message_left"]);

export function rowOfConversation({ session, turns, call, afterCall }: StoredConversation): ConversationRow {
  const { sessionId, owner, channel, scenario, release, activeAgent, visitedAgents, memory, createdAtMs } = session;
  const isOver = session.status === "ended";
  const endReason = isOver ? session.endReason : undefined;
  const times = turns.flatMap(({ marks }) => marks[answeredMark] ?? []);
  const outcome = outcomeOf(isOver, endReason, call);
  const version = turns.findLast(({ promptVersion }) => promptVersion !== undefined)?.promptVersion;
  return {
    sessionId,
    owner,
    channel,
    ...factsOfCall(call),
    who: call === undefined ? session.userEmail : farNumberOf(call),
    scenario,
    agents: visitedAgents.includes(activeAgent) ? visitedAgents : [...visitedAgents, activeAgent],
    agent: activeAgent,
    outcome,
    endReason,
    startedAtMs: createdAtMs,
    endedAtMs: isOver ? session.lastActivityAtMs : undefined,
    turnCount: session.turnCount ?? 0,
    // Of fewer than twenty answers it is the slowest, which is what whoever looks for slow conversations means.
    answerP95Ms: percentile(times, 0.95),
    failureCount: session.failures?.length ?? 0,
    isTransferred: outcome === "transferred",
    language: languageIn(memory) ?? call?.language,
    ...(release !== undefined && { release }),
    version,
    usage: session.usage ?? {},
    ...(afterCall?.status === "written" && { noted: notedIn(afterCall) }),
    revision: session.version + (call?.version ?? 0),
  };
}

function notedIn({ summary, outcome, fields }: AfterCallRecord): Noted {
  return { summary, outcome, fields };
}

/** A call that has no conversation, or none yet: it rings, nobody answered it, or it was turned away. */
export function rowOfCall(call: CallRecord): ConversationRow {
  const { sessionId, owner, scenario, agent, language, createdAtMs, endedAtMs, version } = call;
  const isOver = callOutcomeOf(call) !== "in_progress";
  return {
    sessionId,
    owner,
    channel: "phone",
    ...factsOfCall(call),
    who: farNumberOf(call),
    scenario,
    agents: agent === undefined ? [] : [agent],
    agent,
    outcome: outcomeOf(isOver, isOver ? call.hangUpReason : undefined, call),
    endReason: isOver ? (call.failureCode ?? call.hangUpReason) : undefined,
    startedAtMs: createdAtMs,
    endedAtMs: isOver ? (endedAtMs ?? createdAtMs) : undefined,
    turnCount: 0,
    failureCount: 0,
    isTransferred: false,
    language,
    usage: {},
    revision: version,
  };
}

function factsOfCall(call: CallRecord | undefined): Pick<ConversationRow, "callId" | "direction" | "failure"> {
  if (call === undefined) return {};
  return { callId: call.callId, direction: call.direction, failure: call.failureCode };
}

function outcomeOf(isOver: boolean, endReason: string | undefined, call: CallRecord | undefined): ConversationOutcome {
  if (!isOver) return "in_progress";
  if (endReason !== undefined && transferEnds.has(endReason)) return "transferred";
  const ofCall = call && callOutcomeOf(call);
  if (ofCall !== undefined && ofCall !== "in_progress" && ofCall !== "completed") return ofCall;
  if (endReason !== undefined && failedEnds.has(endReason)) return "failed";
  if (call?.answeredBy === "machine" || (endReason !== undefined && voicemailEnds.has(endReason))) return "voicemail";
  return "completed";
}

/** It failed, did not come about, or something failed in it. */
export function hasFailed({ outcome, failureCount }: Pick<ConversationRow, "outcome" | "failureCount">): boolean {
  return failureCount > 0 || failedOutcomes.has(outcome);
}

export function durationOf({ startedAtMs, endedAtMs }: ConversationRow, nowMs: number): number {
  return Math.max(0, (endedAtMs ?? nowMs) - startedAtMs);
}

/** Whether a list shows it; `search` of the query is normalised. */
export function matchesQuery(row: ConversationRow, query: ConversationQuery, nowMs: number): boolean {
  const { minAnswerP95Ms = 0, minDurationMs = 0, maxDurationMs = Number.POSITIVE_INFINITY } = query;
  const { fromMs = 0, beforeMs = Number.POSITIVE_INFINITY, after, search } = query;
  const is = (wanted: unknown, value: unknown): boolean => wanted === undefined || wanted === value;
  const durationMs = durationOf(row, nowMs);
  return (
    isInListOf(query.owner, row.owner) &&
    is(query.channel, row.channel) &&
    is(query.direction, row.direction) &&
    is(query.scenario, row.scenario) &&
    is(query.release, row.release) &&
    is(query.outcome, row.outcome) &&
    is(query.endReason, row.endReason) &&
    is(query.isFailed, hasFailed(row)) &&
    is(query.isTransferred, row.isTransferred) &&
    (query.agent === undefined || row.agents.includes(query.agent)) &&
    (minAnswerP95Ms === 0 || (row.answerP95Ms ?? -1) >= minAnswerP95Ms) &&
    durationMs >= minDurationMs &&
    durationMs <= maxDurationMs &&
    row.startedAtMs >= fromMs &&
    row.startedAtMs < beforeMs &&
    (after === undefined || isBehind(row, after)) &&
    (search === undefined || isFoundBy(row, search))
  );
}

/** The page of a list that has only rows of these; `search` of the query is normalised. */
export function pageOf(rows: readonly ConversationRow[], query: ConversationQuery, nowMs: number): ConversationPage {
  const { after, ...all } = query;
  const matching = rows.filter((row) => matchesQuery(row, all, nowMs)).toSorted(compareRows);
  const behind = after === undefined ? matching : matching.filter((row) => isBehind(row, after));
  const page = behind.slice(0, query.limit);
  return { rows: page, next: behind.length > page.length ? page.at(-1) : undefined, total: matching.length };
}

/** The one that began last first; of those that began together, the greatest id first, as Redis has it. */
export function compareRows(one: ConversationRow, other: ConversationRow): number {
  return other.startedAtMs - one.startedAtMs || (one.sessionId < other.sessionId ? 1 : -1);
}

export function isBehind(row: ConversationPlace, { startedAtMs, sessionId }: ConversationPlace): boolean {
  return row.startedAtMs < startedAtMs || (row.startedAtMs === startedAtMs && row.sessionId < sessionId);
}

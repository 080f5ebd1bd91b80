/**
 * Writes the body of an event from what the store knows. Ids and states only, except for what an agent's file has sent; docs/security.md
 * relies on that.
 */
import { apiPrefix } from "../contracts/http/endpoint.ts";
import type { CallEventData, NotedEventData, SessionEventData } from "../contracts/webhooks/webhook-event.ts";
import { wordOf } from "../platform/foreign-facts.ts";
import { endReasonOf } from "../calls/call-end-reason.ts";
import { conversationOf } from "../calls/conversation-of-call.ts";
import type { CallRecord } from "../state/ports/call-store.ts";
import type { SessionRecord } from "../state/ports/session-store.ts";
import type { State } from "../state/ports/state.ts";
import type { WebhookFact } from "../state/work/webhook-deliveries.ts";
import type { AfterCallRecord } from "../state/records/after-call-store.ts";
import { endOfCall, sessionFact } from "./webhook-facts.ts";

export interface BodyParts {
  readonly state: Pick<State, "calls" | "callOperations" | "sessions">;
  /** The service's address, for links. */
  readonly baseUrl: string | undefined;
  readonly nowMs: number;
}

/** Undefined if it has not happened after all, or if what it is about is no longer known. */
export async function findBody(fact: WebhookFact, parts: BodyParts): Promise<string | undefined> {
  const { state, nowMs } = parts;
  if (fact.type === "session.ended") {
    const session = await state.sessions.get(fact.subject);
    // A session that has been resumed meanwhile is announced when it ends again.
    if (typeof session === "string" || session.status !== "ended" || sessionFact(session).id !== fact.id)
      return undefined;
    return writeBody(fact, nowMs, describeSession(session, parts));
  }
  // It is put into the outbox with its body.
  if (fact.type === "session.noted") return undefined;
  const call = await state.calls.get(fact.subject);
  if (call === undefined) return undefined;
  const wasHandedOver = await wasTransferred(call, parts);
  const { endedAtMs = nowMs } = call;
  const transcriptUrl = transcriptLink(
    (await conversationOf(call, state.sessions)) ?? { sessionId: call.sessionId },
    parts,
  );
  const endReason = wordOf(endReasonOf(call, await state.calls.events(call.callId)) ?? undefined) ?? null;
  const described = describeCall(call, { wasHandedOver, transcriptUrl, endReason });
  switch (fact.type) {
    case "call.ended":
    case "call.failed":
      return endOfCall(call) === fact.type ? writeBody(fact, endedAtMs, described) : undefined;
    case "call.handed_over":
      return wasHandedOver ? writeBody(fact, nowMs, described) : undefined;
  }
}

async function wasTransferred({ callId, transferId }: CallRecord, { state }: BodyParts): Promise<boolean> {
  if (transferId === undefined) return false;
  const outcome = await state.callOperations.find({ callId, operationContext: `transfer:${transferId}` });
  return outcome?.ok === true;
}

/** `isSent`: the summary and the fields, too. */
export function bodyOfNoted(
  session: SessionRecord,
  { summary, outcome, fields, writtenAtMs }: AfterCallRecord,
  { isSent, baseUrl }: { readonly isSent: boolean } & Pick<BodyParts, "baseUrl">,
): string {
  const { sessionId, callConnectionId = null, channel, scenario, createdAtMs, lastActivityAtMs } = session;
  return writeBody(sessionFact(session, "session.noted"), writtenAtMs, {
    session_id: sessionId,
    call_connection_id: callConnectionId,
    channel,
    scenario,
    outcome,
    summary: isSent ? summary : null,
    fields: isSent ? { ...fields } : null,
    created_at: toIso(createdAtMs),
    ended_at: toIso(lastActivityAtMs),
    transcript_url: transcriptLink(session, { baseUrl }),
  });
}

function writeBody(
  { id, type }: WebhookFact,
  atMs: number,
  data: CallEventData | SessionEventData | NotedEventData,
): string {
  return JSON.stringify({ version: 1, id, type, timestamp: toIso(atMs), data });
}

interface Outcome {
  readonly wasHandedOver: boolean;
  readonly transcriptUrl: string | null;
  readonly endReason: string | null;
}

function describeCall(call: CallRecord, { wasHandedOver, transcriptUrl, endReason }: Outcome): CallEventData {
  return {
    call_id: call.callId,
    call_connection_id: call.callConnectionId ?? null,
    session_id: call.sessionId,
    direction: call.direction,
    scenario: call.scenario ?? null,
    status: call.status,
    answered_by: call.answeredBy ?? null,
    handed_over: wasHandedOver,
    failure: wordOf(call.failureCode) ?? null,
    service_code: call.serviceCode ?? null,
    service_sub_code: call.serviceSubCode ?? null,
    end_reason: endReason,
    created_at: toIso(call.createdAtMs),
    connected_at: call.connectedAtMs === undefined ? null : toIso(call.connectedAtMs),
    ended_at: call.endedAtMs === undefined ? null : toIso(call.endedAtMs),
    transcript_url: transcriptUrl,
  };
}

function describeSession(session: SessionRecord, parts: BodyParts): SessionEventData {
  return {
    session_id: session.sessionId,
    call_connection_id: session.callConnectionId ?? null,
    channel: session.channel,
    streaming_mode: session.streamingMode,
    scenario: session.scenario,
    active_agent: session.activeAgent,
    end_reason: wordOf(session.endReason) ?? null,
    turns: session.turnCount ?? 0,
    created_at: toIso(session.createdAtMs),
    ended_at: toIso(session.lastActivityAtMs),
    transcript_url: transcriptLink(session, parts),
  };
}

interface NamedConversation {
  readonly sessionId: string;
  readonly createdAtMs?: number | undefined;
}

/** The link also has the time of creation, because the id may belong to another conversation when the link is followed. */
function transcriptLink(
  { sessionId, createdAtMs }: NamedConversation,
  { baseUrl }: Pick<BodyParts, "baseUrl">,
): string | null {
  if (baseUrl === undefined) return null;
  const which = createdAtMs === undefined ? "" : `?created_at=${toIso(createdAtMs)}`;
  return `${baseUrl}${apiPrefix}/sessions/${encodeURIComponent(sessionId)}/transcript${which}`;
}

function toIso(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

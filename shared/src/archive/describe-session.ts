/** A session in the API's format, which is both the answer to a request for it and what the archive stores. */
import { describeCost, describeUsage } from "../costs/describe-usage.ts";
import { withoutWithdrawn } from "../conversation/withdrawn-effects.ts";
import type { sessionRecording } from "../contracts/http/recordings.ts";
import type { ToolCall } from "../tools/tool-call.ts";
import type { HistoryItem, SessionRecord, SessionRecording, TurnMetrics } from "../state/ports/session-store.ts";
import type { AfterCallRecord } from "../state/records/after-call-store.ts";
import type { z } from "zod";

/** In steps, because a very long history takes longer than others should have to wait. */
export function* describeSession(session: SessionRecord, history: readonly HistoryItem[], afterCall?: AfterCallRecord) {
  const conversation_history: ReturnType<typeof describeItem>[] = [];
  for (const item of withoutWithdrawn(history)) {
    conversation_history.push(describeItem(item));
    if (conversation_history.length % itemsPerStep === 0) yield;
  }
  return {
    ...summariseSession(session),
    conversation_history,
    memory: { ...session.memory },
    failures: (session.failures ?? []).map(({ code, message, timestampMs }) => ({
      code,
      message,
      timestamp: toIso(timestampMs),
    })),
    recordings: (session.recordings ?? []).map(describeRecording),
    usage: describeUsage(session.usage ?? {}),
    after_call: afterCall === undefined ? null : describeAfterCall(afterCall),
  };
}

function describeAfterCall({ status, summary, outcome, fields, writtenAtMs, usage = {} }: AfterCallRecord) {
  return { status, summary, outcome, fields: { ...fields }, written_at: toIso(writtenAtMs), cost: describeCost(usage) };
}

const itemsPerStep = 200;

function describeItem(item: HistoryItem) {
  return {
    role: item.role,
    content: item.content,
    agent: item.agent,
    ...(item.promptVersion === undefined ? {} : { prompt_version: item.promptVersion }),
    turn_id: item.turnId,
    timestamp: toIso(item.timestampMs),
    ...(item.begunAtMs === undefined ? {} : { began_at: toIso(item.begunAtMs) }),
    interrupted: item.interrupted,
    cut: item.cut ?? null,
    ...(item.author === undefined ? {} : { author: item.author }),
    ...(item.guardrails === undefined ? {} : { guardrails: item.guardrails }),
    ...(item.toolCalls === undefined ? {} : { tool_calls: item.toolCalls.map(describeToolCall) }),
    ...(item.toolCallId === undefined ? {} : { tool_call_id: item.toolCallId }),
    ...(item.late === undefined ? {} : { late: item.late }),
  };
}

function describeToolCall({ id, name, argumentsJson }: ToolCall) {
  return { id, name, arguments: argumentsJson };
}

export function summariseSession(session: SessionRecord) {
  return {
    session_id: session.sessionId,
    status: session.status,
    with_person_since: session.person === undefined ? null : toIso(session.person.sinceMs),
    end_reason: session.status === "ended" ? (session.endReason ?? null) : null,
    scenario: session.scenario,
    ...(session.release === undefined ? {} : { release: session.release }),
    active_agent: session.activeAgent,
    channel: session.channel,
    user_email: session.userEmail ?? null,
    streaming_mode: session.streamingMode,
    created_at: toIso(session.createdAtMs),
    last_activity_at: toIso(session.lastActivityAtMs),
    cost: describeCost(session.usage ?? {}),
  };
}

export function describeTurns(turns: readonly TurnMetrics[]) {
  return turns.map(({ turnId, agent, promptVersion, timestampMs, marks, why = [], usage }) => ({
    turn_id: turnId,
    agent,
    ...(promptVersion === undefined ? {} : { prompt_version: promptVersion }),
    timestamp: toIso(timestampMs),
    marks: { ...marks },
    why: [...why],
    ...(usage === undefined ? {} : { usage: describeUsage(usage), cost: describeCost(usage) }),
  }));
}

function describeRecording(recording: SessionRecording): z.infer<typeof sessionRecording> {
  const { recordingId, startedAtMs, sampleRateHz, channels, status, durationMs = null, lostMs = 0 } = recording;
  return {
    recording_id: recordingId,
    status,
    started_at: toIso(startedAtMs),
    duration_ms: durationMs,
    lost_ms: lostMs,
    sample_rate: sampleRateHz,
    channels: channels === 1 ? ["caller"] : ["caller", "agent"],
  };
}

function toIso(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

/** Conversations (spec section 4.8). */
import type { sessionRecording } from "@voice/shared/contracts/http/recordings";
import {
  deleteSession,
  getSession,
  getSessionMetrics,
  listSessions,
  resetSession,
} from "@voice/shared/contracts/http/sessions";
import type { SessionRecord, SessionRecording } from "@voice/shared/state/ports/session-store";
import type { z } from "zod";
import { route, type Route } from "../http/route.ts";
import { requireKnown } from "../services/require-known.ts";
import { startAfresh } from "../services/session-reset.ts";
import { summariseLatency } from "../services/turn-latency.ts";

export const sessionRoutes: readonly Route[] = [
  route(listSessions)(async ({ query }, { state }) => {
    const { limit, page } = query;
    const found = await state.sessions.list({ offset: (page - 1) * limit, limit });
    return { status: 200, body: { sessions: found.sessions.map(summaryView), total: found.total, page, limit } };
  }),

  route(getSession)(async ({ params }, { state }) => {
    // One round trip: what is not needed when the id is unknown is small.
    const [found, history] = await Promise.all([
      state.sessions.get(params.session_id),
      state.sessions.history(params.session_id),
    ]);
    const session = requireKnown(found, "session");
    return {
      status: 200,
      body: {
        ...summaryView(session),
        conversation_history: history.map((item) => ({
          role: item.role,
          content: item.content,
          agent: item.agent,
          turn_id: item.turnId,
          timestamp: toIso(item.timestampMs),
          interrupted: item.interrupted,
        })),
        memory: { ...session.memory },
        recordings: (session.recordings ?? []).map(recordingView),
      },
    };
  }),

  route(resetSession)(async ({ params }, dependencies) => {
    const previous = requireKnown(await dependencies.state.sessions.get(params.session_id), "session");
    const session = await startAfresh(previous, dependencies);
    return {
      status: 200,
      body: {
        session_id: session.sessionId,
        previous_session_id: previous.sessionId,
        status: "reset",
        scenario: session.scenario,
        active_agent: session.activeAgent,
        created_at: toIso(session.createdAtMs),
        message: "A fresh conversation is ready; connect with the new session id",
      },
    };
  }),

  route(deleteSession)(async ({ params }, { state, recordings }) => {
    const found = await state.sessions.get(params.session_id);
    // What is kept of a conversation may outlive its session, and has to be forgotten all the same.
    const wasRecorded = found !== "unknown" && (await (await recordings())?.deleteAll(params.session_id)) === true;
    const sessionId = wasRecorded ? params.session_id : requireKnown(found, "session").sessionId;
    await state.sessions.delete(sessionId);
    return {
      status: 200,
      body: { status: "success", session_id: sessionId, message: "The conversation is forgotten" },
    };
  }),

  route(getSessionMetrics)(async ({ params }, { state }) => {
    const [found, turns] = await Promise.all([
      state.sessions.get(params.session_id),
      state.sessions.metrics(params.session_id),
    ]);
    const session = requireKnown(found, "session");
    return {
      status: 200,
      body: {
        session_id: session.sessionId,
        turn_count: turns.length,
        latency_summary: summariseLatency(turns),
        turns: turns.map(({ turnId, agent, timestampMs, marks }) => ({
          turn_id: turnId,
          agent,
          timestamp: toIso(timestampMs),
          marks: { ...marks },
        })),
      },
    };
  }),
];

function summaryView(session: SessionRecord) {
  return {
    session_id: session.sessionId,
    status: session.status,
    scenario: session.scenario,
    active_agent: session.activeAgent,
    channel: session.channel,
    streaming_mode: session.streamingMode,
    created_at: toIso(session.createdAtMs),
    last_activity_at: toIso(session.lastActivityAtMs),
  };
}

function recordingView(recording: SessionRecording): z.input<typeof sessionRecording> {
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

/** Conversations. */
import {
  deleteSession,
  getSession,
  getSessionMetrics,
  listSessions,
  resetSession,
} from "@voice/shared/contracts/http/sessions";
import { getFlightRecord, getModelRequests, getSessionMessages } from "@voice/shared/contracts/http/session-logs";
import { freeForm } from "@voice/shared/contracts/http/fields";
import { BadRequestError } from "@voice/shared/platform/errors";
import {
  getTranscriptCaptions,
  getTranscriptText,
  getWrittenTranscript,
} from "@voice/shared/contracts/http/transcripts";
import { toWebVtt } from "@voice/shared/recordings/captions";
import { toPlainText, writtenTranscript } from "@voice/shared/recordings/written-transcript";
import type { Dependencies } from "../dependencies.ts";
import { answer, route, type RequestInfo, type Route } from "../http/route.ts";
import { endLiveConversation } from "../services/end-live-conversation.ts";
import { findMetrics, findSession } from "../services/describe-conversation.ts";
import type { AskedConversation } from "../services/find-conversation.ts";
import { findSessions, refuseFilters } from "../services/find-sessions.ts";
import { forgetSession } from "../services/forget-session.ts";
import { expandRequests, readMessages, requireStored } from "../services/session-logs.ts";
import { listSession } from "../services/list-session.ts";
import { onlyOf, requireOwnSession } from "../services/own.ts";
import { startAfresh } from "../services/session-reset.ts";

const nothingArchived = "Conversations are not archived here: that begins with CLOUD_DOCSTORE_ENDPOINT.";

const nothingRecorded = "No flight record was kept of this session: that begins with FLIGHT_RECORDER=true.";

export const sessionRoutes: readonly Route[] = [
  answer(listSessions)(async ({ query, request }, { state, archive }) => {
    const { limit, page, archived } = query;
    const owner = onlyOf(request.caller);
    if (archived) {
      refuseFilters(query);
      const kept = await archive();
      if (kept === undefined) throw new BadRequestError("not_found", nothingArchived);
      const { sessions, total } = await kept.list({ offset: (page - 1) * limit, limit, owner });
      return { sessions: sessions.map((one) => ({ ...one, call: null, failure_count: null })), total, page, limit };
    }
    const found = await findSessions(query, owner, state);
    const sessions = await Promise.all(found.sessions.map((session) => listSession(session, state.calls)));
    return { sessions, total: found.total, page, limit };
  }),

  answer(getSession)((input, dependencies) => findSession(asked(input), dependencies)),

  answer(getWrittenTranscript)(transcriptOf),

  route(getTranscriptText)(async (input, dependencies) => ({
    status: 200,
    text: toPlainText(await transcriptOf(input, dependencies)),
  })),

  route(getTranscriptCaptions)(async (input, dependencies) => ({
    status: 200,
    text: toWebVtt((await transcriptOf(input, dependencies)).entries),
  })),

  answer(resetSession)(async ({ params, request }, dependencies) => {
    await dependencies.sessionQuota.require(request.caller.subject);
    const previous = requireOwnSession(await dependencies.state.sessions.get(params.session_id), request.caller);
    const session = await startAfresh(previous, dependencies);
    endLiveConversation(previous, "reset", dependencies.state);
    return {
      session_id: session.sessionId,
      previous_session_id: previous.sessionId,
      status: "reset",
      scenario: session.scenario,
      active_agent: session.activeAgent,
      created_at: new Date(session.createdAtMs).toISOString(),
      message: "A fresh conversation is ready; connect with the new session id",
    };
  }),

  answer(deleteSession)(async ({ params, request }, dependencies) => {
    const { session_id: sessionId } = params;
    await forgetSession(sessionId, request.caller, dependencies);
    return { status: "success", session_id: sessionId, message: "The conversation is forgotten" };
  }),

  answer(getSessionMetrics)((input, dependencies) => findMetrics(asked(input), dependencies)),

  answer(getSessionMessages)(async (input, dependencies) => {
    await requireStored(asked(input), dependencies);
    return readMessages(input.params.session_id, dependencies.state);
  }),

  answer(getModelRequests)(async (input, dependencies) => {
    const { session_id } = input.params;
    await requireStored(asked(input), dependencies);
    const requests = expandRequests(await dependencies.state.requestLog.read(session_id));
    if (requests.length === 0) throw new BadRequestError("not_found", nothingRecorded);
    return { session_id, requests };
  }),

  answer(getFlightRecord)(async (input, dependencies) => {
    const { session_id } = input.params;
    const { state } = dependencies;
    await requireStored(asked(input), dependencies);
    const [segments, { messages }, requests] = await Promise.all([
      state.flightLog.read(session_id),
      readMessages(session_id, state),
      input.request.caller.isOperator ? state.requestLog.read(session_id) : undefined,
    ]);
    if (segments.length === 0) throw new BadRequestError("not_found", nothingRecorded);
    return {
      session_id,
      messages,
      model_requests: requests === undefined ? null : expandRequests(requests),
      segments: segments.map((segment) => freeForm.parse(JSON.parse(segment))),
    };
  }),
];

interface AboutConversation {
  readonly params: Pick<AskedConversation, "session_id">;
  readonly query: Pick<AskedConversation, "created_at">;
  readonly request: Pick<RequestInfo, "caller">;
}

function asked({ params, query, request: { caller } }: AboutConversation): AskedConversation {
  return { ...params, ...query, caller };
}

async function transcriptOf(input: AboutConversation, dependencies: Dependencies) {
  return writtenTranscript(await findSession(asked(input), dependencies));
}

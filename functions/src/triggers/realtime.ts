/** The status of the sockets, and the tickets that open them. */
import { isServiceOperator, requireOperator, requireServiceOperator } from "@voice/shared/auth/caller";
import { requireSessionAccess } from "@voice/shared/auth/session-owner";
import { apiPrefix } from "@voice/shared/contracts/http/endpoint";
import {
  createRealtimeToken,
  getBrowserStatus,
  getRealtimeStatus,
  getTelephonyHealth,
  negotiateDashboard,
} from "@voice/shared/contracts/http/realtime";
import { operatorsGroup, ownersGroup } from "@voice/shared/live-relay/live-relay-groups";
import { BadRequestError } from "@voice/shared/platform/errors";
import { createId } from "@voice/shared/platform/ids";
import { ticketLifeSpanMs, type TicketPurpose } from "@voice/shared/state/records/ticket-store";
import { answer, type Route } from "../http/route.ts";
import { streamingBaseUrl } from "../services/addresses.ts";
import { requireOwnSession } from "../services/own.ts";
import { socketStatus } from "../services/socket-status.ts";

const conversationPath = `${apiPrefix}/realtime/conversation`;
const relayPath = `${apiPrefix}/realtime/dashboard/relay`;
const socketPaths: Readonly<Record<TicketPurpose["type"], string>> = {
  converse: conversationPath,
  watch: relayPath,
  listen: `${apiPrefix}/realtime/listen`,
  try: `${apiPrefix}/realtime/tools`,
};

export const realtimeRoutes: readonly Route[] = [
  answer(getRealtimeStatus)(async (_input, dependencies) => {
    const { fleet, common, features, ofConversations } = await socketStatus(dependencies);
    return {
      ...common,
      websocket_endpoints: { dashboard_relay: relayPath, conversation: conversationPath },
      features: { ...ofConversations, ...features },
      active_connections: {
        dashboard_clients: fleet.connections.dashboard,
        conversation_sessions: fleet.activeSessions,
      },
    };
  }),

  answer(getBrowserStatus)(async (_input, dependencies) => {
    const { hasBrowserPhones, settings } = dependencies;
    const { fleet, isUp, common, features, ofConversations } = await socketStatus(dependencies);
    const { browser, dashboard } = fleet.connections;
    return {
      ...common,
      websocket_endpoints: {
        conversation: `${apiPrefix}/browser/conversation`,
        dashboard_relay: `${apiPrefix}/browser/dashboard/relay`,
      },
      features: {
        ...ofConversations,
        ...features,
        audio_interruption: isUp && settings.bargeInEnabled,
        // Live updates are distributed through the store.
        precise_routing: fleet.isStoreUp,
        // At capacity new sockets are refused, never queued.
        connection_queuing: false,
        local_recognition: fleet.hasLocalRecognition,
        // Fictitious numbers at which a browser page can be called.
        simulated_phones: hasBrowserPhones,
      },
      active_connections: {
        dashboard_clients: dashboard,
        conversation_sessions: fleet.sessions.browser,
        total_connections: browser + dashboard,
      },
    };
  }),

  answer(getTelephonyHealth)(() => Promise.resolve({ status: "ok", service: "telephony-bridge" })),

  answer(createRealtimeToken)(async ({ body, request }, { clock, sessionQuota, settings, state }) => {
    const { caller } = request;
    await sessionQuota.require(caller.subject);
    const purpose = purposeOf(body?.purpose ?? "converse", body?.session_id ?? undefined);
    const { type, sessionId } = purpose;
    if (type === "listen") requireOperator(caller);
    if (type === "try") requireServiceOperator(caller);
    if (sessionId !== undefined) await requireSessionAccess(caller, sessionId, state);
    const { subject, isOperator, tenant, tokenExpiresAtMs } = caller;
    const { ticket, expiresAtMs } = await state.tickets.create({
      subject,
      isOperator,
      tenant,
      tokenExpiresAtMs,
      purpose,
      traceparent: request.traceparent,
    });
    const query = new URLSearchParams({ ticket, ...(sessionId === undefined ? {} : { session_id: sessionId }) });
    return {
      ticket,
      purpose: type,
      session_id: sessionId ?? null,
      expires_in: ticketLifeSpanMs / 1000,
      expires_at: new Date(expiresAtMs).toISOString(),
      access_expires_in:
        type === "converse" || tokenExpiresAtMs === undefined
          ? null
          : Math.max(0, Math.floor((tokenExpiresAtMs - clock.wallNow()) / 1000)),
      websocket_url: `${streamingBaseUrl(settings, request.url)}${socketPaths[type]}?${query.toString()}`,
    };
  }),

  answer(negotiateDashboard)(async ({ body, request }, { clock, state, watchAccess }) => {
    const { caller } = request;
    const sessionId = body?.session_id ?? undefined;
    // The external relay does not know owners, so a session that does not exist yet could become somebody else's.
    const owner =
      sessionId === undefined || isServiceOperator(caller)
        ? undefined
        : requireOwnSession(await state.sessions.get(sessionId), caller).owner;
    if (sessionId === undefined) requireServiceOperator(caller);
    const access = await watchAccess();
    if (access === undefined)
      throw new BadRequestError("not_found", `No Web PubSub is configured. Watch at ${relayPath} with a ticket.`);
    const group =
      sessionId === undefined || owner === undefined
        ? operatorsGroup(sessionId === undefined ? "all" : { sessionId })
        : ownersGroup(sessionId, owner);
    const { url, expiresAtMs } = await access.grant(group, caller.subject);
    return {
      url,
      protocol: "json.webpubsub.azure.v1",
      group,
      expires_in: Math.round((expiresAtMs - clock.wallNow()) / 1000),
      expires_at: new Date(expiresAtMs).toISOString(),
    };
  }),
];

/** A ticket for a conversation always names a session; a new one gets its id now. */
function purposeOf(type: TicketPurpose["type"], sessionId: string | undefined): TicketPurpose {
  if (type === "listen") {
    if (sessionId !== undefined) return { type, sessionId };
    throw new BadRequestError("validation_error", "A ticket to listen is for one session.", [
      { field: "session_id", message: "Needed where the purpose is `listen`", code: "required" },
    ]);
  }
  if (type === "try") return { type };
  return type === "watch" ? { type, sessionId } : { type, sessionId: sessionId ?? createId("session") };
}

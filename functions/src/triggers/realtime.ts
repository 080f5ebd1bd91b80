/** Realtime status and WebSocket tickets (spec section 4.4). */
import { apiPrefix, apiVersionName } from "@voice/shared/contracts/http/endpoint";
import { createRealtimeToken, getRealtimeStatus } from "@voice/shared/contracts/http/realtime";
import { ticketLifeSpanMs } from "@voice/shared/state/ports/ticket-store";
import { route, type Route } from "../http/route.ts";
import { streamingBaseUrl } from "../services/addresses.ts";
import { fleetOrNone } from "../services/fleet.ts";

const conversationPath = `${apiPrefix}/realtime/conversation`;

export const realtimeRoutes: readonly Route[] = [
  route(getRealtimeStatus)(async (_input, { logger, state }) => {
    const fleet = await fleetOrNone(state.hosts, logger);
    const isUp = fleet.status !== "unavailable";
    return {
      status: 200,
      body: {
        status: fleet.status,
        websocket_endpoints: {
          dashboard_relay: `${apiPrefix}/realtime/dashboard/relay`,
          conversation: conversationPath,
        },
        features: {
          dashboard_broadcasting: isUp,
          conversation_streaming: isUp,
          orchestrator_support: isUp,
          session_management: true,
        },
        active_connections: {
          dashboard_clients: fleet.connections.dashboard,
          conversation_sessions: fleet.activeSessions,
        },
        protocols_supported: ["WebSocket"],
        version: apiVersionName,
      },
    };
  }),

  route(createRealtimeToken)(async ({ body, request }, { settings, state }) => {
    const sessionId = body?.session_id ?? undefined;
    const { ticket, expiresAtMs } = await state.tickets.create({ subject: request.caller.subject, sessionId });
    const query = new URLSearchParams({ ticket, ...(sessionId === undefined ? {} : { session_id: sessionId }) });
    return {
      status: 200,
      body: {
        ticket,
        expires_in: ticketLifeSpanMs / 1000,
        expires_at: new Date(expiresAtMs).toISOString(),
        websocket_url: `${streamingBaseUrl(settings, request.url)}${conversationPath}?${query.toString()}`,
      },
    };
  }),
];

/** Browser conversations (spec section 4.6). */
import { apiPrefix, apiVersionName } from "@voice/shared/contracts/http/endpoint";
import { getBrowserStatus } from "@voice/shared/contracts/http/realtime";
import { answer, type Route } from "../http/route.ts";
import { fleetOrNone } from "../services/fleet.ts";

export const browserRoutes: readonly Route[] = [
  answer(getBrowserStatus)(async (_input, { hasBrowserPhones, heartbeatReading, settings, state }) => {
    const fleet = await fleetOrNone(state.hosts, heartbeatReading);
    const isUp = fleet.status !== "unavailable";
    const { browser, dashboard } = fleet.connections;
    return {
      status: fleet.status,
      websocket_endpoints: {
        conversation: `${apiPrefix}/browser/conversation`,
        dashboard_relay: `${apiPrefix}/browser/dashboard/relay`,
      },
      features: {
        dashboard_broadcasting: isUp,
        conversation_streaming: isUp,
        orchestrator_support: isUp,
        session_management: fleet.isStoreUp,
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
      protocols_supported: ["WebSocket"],
      version: apiVersionName,
    };
  }),
];

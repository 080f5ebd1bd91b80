/** Browser conversations (spec section 4.6). */
import { apiPrefix } from "@voice/shared/contracts/http/endpoint";
import { getBrowserStatus } from "@voice/shared/contracts/http/realtime";
import { answer, type Route } from "../http/route.ts";
import { socketStatus } from "../services/socket-status.ts";

export const browserRoutes: readonly Route[] = [
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
];

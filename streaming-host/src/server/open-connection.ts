/** From an accepted WebSocket to what lives on it, by route. */
import type { Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import type { LiveUpdates } from "@voice/shared/state/ports/live-updates";
import type { WebSocket } from "ws";
import { createBrowserTransport } from "../transports/browser/browser-transport.ts";
import { startDashboardRelay } from "../transports/dashboard/dashboard-relay.ts";
import { connectConversation } from "./conversation-connection.ts";
import type { ConversationServices } from "./conversation-services.ts";
import type { StreamRoute } from "./stream-routes.ts";
import type { LiveConnection } from "./streaming-host.ts";
import { createWsSocket } from "./ws-socket.ts";

export interface ConnectionServices {
  readonly conversations: ConversationServices;
  readonly liveUpdates: LiveUpdates;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Spec section 8: the cascade and transcription work on 16 kHz. */
const cascadeRateHz = 16_000;

export async function openConnection(
  webSocket: WebSocket,
  route: StreamRoute,
  services: ConnectionServices,
  onClosed: () => void,
): Promise<LiveConnection> {
  const { clock, logger } = services;
  const socket = createWsSocket(webSocket, logger);
  switch (route.kind) {
    case "browser": {
      const { query } = route;
      return connectConversation({
        transport: createBrowserTransport({ socket, clock, sampleRateHz: cascadeRateHz }),
        request: {
          sessionId: query.session_id,
          channel: "browser",
          streamingMode: query.streaming_mode,
          scenario: query.scenario,
          agent: query.agent,
          userEmail: query.user_email,
          profileId: query.profile_id,
        },
        clock,
        logger,
        startSession: services.conversations.start,
        onClosed,
      });
    }
    case "dashboard": {
      const { session_id: sessionId } = route.query;
      const target = sessionId === undefined ? "all" : { sessionId };
      const relay = await startDashboardRelay(socket, services.liveUpdates, target, onClosed);
      return {
        drain: () => relay.close("draining"),
        close: async (reason) => relay.close(reason),
      };
    }
  }
}

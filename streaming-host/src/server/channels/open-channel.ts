/** Opens the channel for an accepted socket; each route has its own. */
import type { LiveConnection } from "../accept/live-connections.ts";
import type { StreamRoute } from "../accept/stream-routes.ts";
import type { AcceptedSocket } from "../accept/streaming-host.ts";
import { browserConversation } from "./browser.ts";
import type { ChannelServices } from "./channel-services.ts";
import { openDashboard } from "./dashboard.ts";
import { openListening } from "./listen.ts";
import { mediaSessionConversation } from "./media-session.ts";
import { mediaConversation } from "./media.ts";
import { openTelephony } from "./telephony.ts";

export async function openChannel(
  accepted: AcceptedSocket,
  route: StreamRoute,
  services: ChannelServices,
): Promise<LiveConnection> {
  const { conversations } = services;
  switch (route.kind) {
    case "browser":
      return conversations.connect(browserConversation(accepted, route.query, services));
    case "media":
      return conversations.connect(await mediaConversation(accepted, route.query, services));
    case "media-session":
      return conversations.connect(await mediaSessionConversation(accepted, route.query, services));
    case "telephony":
      return openTelephony(accepted, route.query, services);
    case "dashboard":
      return openDashboard(accepted, route.query, services);
    case "listen":
      return openListening(accepted, route.query, services);
  }
}

/** Opens the channel for an accepted socket; each route has its own. */
import type { Host } from "../../host/host.ts";
import type { LiveConnection } from "../accept/live-connections.ts";
import type { StreamRoute } from "../accept/stream-routes.ts";
import type { AcceptedSocket } from "../accept/streaming-host.ts";
import type { Conversations } from "../conversations/conversations.ts";
import { browserConversation } from "./browser.ts";
import { openDashboard } from "./dashboard.ts";
import { openListening } from "./listen.ts";
import { mediaSessionConversation } from "./media-session.ts";
import { mediaConversation } from "./media.ts";
import type { CallsOfStreams } from "./phone-conversation.ts";
import { openToolTrials } from "./tools.ts";
import { openTelephony } from "./telephony.ts";
import { openTwilio } from "./twilio.ts";

export class Channels {
  readonly #host: Host;
  readonly #conversations: Pick<Conversations, "connect" | "toolTrials">;
  readonly #calls: CallsOfStreams;

  constructor(host: Host, conversations: Pick<Conversations, "connect" | "toolTrials">, calls: CallsOfStreams) {
    this.#host = host;
    this.#conversations = conversations;
    this.#calls = calls;
  }

  async open(accepted: AcceptedSocket, route: StreamRoute): Promise<LiveConnection> {
    const host = this.#host;
    const conversations = this.#conversations;
    switch (route.kind) {
      case "browser":
        return conversations.connect(browserConversation(accepted, route.query, host.clock));
      case "media":
        return conversations.connect(await mediaConversation(accepted, route.query, host, this.#calls));
      case "media-session":
        return conversations.connect(await mediaSessionConversation(accepted, route.query, host));
      case "telephony":
        return openTelephony(accepted, route.query, host, conversations);
      case "twilio":
        return openTwilio(accepted, host, { conversations, calls: this.#calls });
      case "dashboard":
        return openDashboard(accepted, route.query, host);
      case "listen":
        return openListening(accepted, route.query, host);
      case "tools":
        return openToolTrials(accepted, host, conversations.toolTrials);
    }
  }
}

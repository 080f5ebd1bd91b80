/** `/browser/conversation`: a person using a web page. */
import { countedAs, ownerOf } from "@voice/shared/auth/caller";
import type { Clock } from "@voice/shared/platform/clock";
import { BrowserTransport } from "../../transports/browser/browser-transport.ts";
import type { QueryOf } from "../accept/stream-routes.ts";
import type { AcceptedSocket } from "../accept/streaming-host.ts";
import type { ConversationOnTransport } from "../conversations/connect/connection.ts";
import { sampleRateOf } from "./sample-rate.ts";

export function browserConversation(
  { socket, request, caller, traceparent, onClosed }: AcceptedSocket,
  query: QueryOf<"browser">,
  clock: Clock,
): ConversationOnTransport {
  return {
    transport: new BrowserTransport(socket, clock, sampleRateOf(query.streaming_mode)),
    request: {
      caller,
      owner: ownerOf(caller),
      client: countedAs(caller, request.socket.remoteAddress),
      sessionId: query.session_id,
      channel: "browser",
      streamingMode: query.streaming_mode,
      scenario: query.scenario,
      agent: query.agent,
      userEmail: query.user_email,
      profileId: query.profile_id,
      language: query.language,
      timeZone: query.time_zone,
      traceparent,
    },
    life: { onClosed },
  };
}

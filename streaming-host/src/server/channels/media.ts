/** `/media/stream`: the audio of a phone call from the communication service, or from a client that speaks its format. */
import { countedAs, ownerOf } from "@voice/shared/auth/caller";
import { MediaTransport } from "../../transports/media/media-transport.ts";
import type { Host } from "../../host/host.ts";
import { isServicePeer } from "../accept/service-peer.ts";
import type { QueryOf } from "../accept/stream-routes.ts";
import type { AcceptedSocket } from "../accept/streaming-host.ts";
import type { ConversationOnTransport } from "../conversations/connect/connection.ts";
import { createFlow, lifeOfCall, requestOfCall, requestOfPhone, timeLeft } from "./phone-conversation.ts";
import type { CallsOfStreams } from "./phone-conversation.ts";
import { sampleRateOf } from "./sample-rate.ts";

/**
 * A call that we know determines its session, scenario and mode; an unknown one (authentication is off) uses the
 * settings.
 */
export async function mediaConversation(
  accepted: AcceptedSocket,
  query: QueryOf<"media">,
  { clock, settings }: Host,
  { findCall, callControl }: CallsOfStreams,
): Promise<ConversationOnTransport> {
  const call = await findCall({ connectionId: query.call_connection_id, callId: query.call_id });
  const isService = isServicePeer(accepted.request);
  if (isService && call !== undefined) void callControl?.recordStream(call, query.call_connection_id);
  const channel = isService ? "phone" : "media";
  const streamingMode = call?.streamingMode ?? settings.streamingMode;
  const sampleRateHz = sampleRateOf(streamingMode);
  // The peer's service sends recognised words instead of audio when somebody speaks.
  const flow = createFlow(streamingMode === "TRANSCRIPTION");
  return {
    transport: new MediaTransport({
      socket: accepted.socket,
      clock,
      channel,
      peer: isService ? "service" : "client",
      sampleRateHz,
      bufferMs: isService ? settings.commPlayoutBufferMs : undefined,
      onFrame: flow.onFrame,
      listensItself: streamingMode !== "TRANSCRIPTION",
      format: { sampleRateHz, channels: 1, audioFormat: "pcm_16" },
    }),
    request: {
      caller: accepted.caller,
      // A call's conversation belongs to the user who placed the call, whichever line carries it.
      owner:
        call !== undefined && (query.session_id ?? call.sessionId) === call.sessionId
          ? call.owner
          : ownerOf(accepted.caller),
      client: isService ? undefined : countedAs(accepted.caller, accepted.request.socket.remoteAddress),
      sessionId: query.session_id ?? call?.sessionId,
      ...requestOfCall(call),
      ...(isService ? requestOfPhone(call, { settings, clock }, callControl) : {}),
      channel,
      streamingMode,
      callConnectionId: query.call_connection_id,
      traceparent: call?.traceparent ?? accepted.traceparent,
    },
    life: {
      longestMs: timeLeft(call, settings.commMaxCallMs, clock.wallNow()),
      onClosed: accepted.onClosed,
      ...(isService ? lifeOfCall(call, query.call_connection_id, accepted.onClosed, flow, callControl) : {}),
    },
  };
}

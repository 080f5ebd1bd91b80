/** From an accepted WebSocket to what lives on it, by route. */
import type { IncomingMessage } from "node:http";
import type { VoicemailAnswer } from "@voice/shared/calls/voicemail";
import type { Settings } from "@voice/shared/config/settings";
import { BadRequestError } from "@voice/shared/platform/errors";
import type { CallRecord } from "@voice/shared/state/ports/call-store";
import type { StreamingMode } from "@voice/shared/state/ports/session-store";
import type { WebSocket } from "ws";
import { createBrowserTransport } from "../transports/browser/browser-transport.ts";
import { startDashboardRelay } from "../transports/dashboard/dashboard-relay.ts";
import { createMediaTransport } from "../transports/media/media-transport.ts";
import type { Socket } from "../transports/socket.ts";
import type { ConnectionServices } from "./connection-services.ts";
import { converse } from "./converse.ts";
import type { Opening } from "./converse.ts";
import { openTelephony } from "./open-telephony.ts";
import { recordPresence } from "./media-session-presence.ts";
import { findCall, isServicePeer } from "./service-peer.ts";
import type { StreamRoute } from "./stream-routes.ts";
import type { LiveConnection } from "./streaming-host.ts";
import { createWsSocket } from "./ws-socket.ts";

/** Spec section 8: the cascade and transcription work on 16 kHz. */
const cascadeRateHz = 16_000;
/** And the realtime model on 24 kHz. */
const realtimeRateHz = 24_000;

function rateOf(mode: StreamingMode): number {
  return mode === "VOICE_LIVE" ? realtimeRateHz : cascadeRateHz;
}

type RouteOf<K extends StreamRoute["kind"]> = Extract<StreamRoute, { kind: K }>;

export async function openConnection(
  webSocket: WebSocket,
  request: IncomingMessage,
  route: StreamRoute,
  services: ConnectionServices,
  onClosed: () => void,
): Promise<LiveConnection> {
  const socket = createWsSocket(webSocket, request.socket, services.clock, services.logger);
  switch (route.kind) {
    case "browser":
      return converse(openBrowser(socket, route, services), services, onClosed);
    case "media":
      return openCall(await openMedia(socket, request, route, services), services, onClosed);
    case "media-session": {
      const { state, hostId, logger } = services;
      const opening = await openMediaSession(socket, route, services);
      const present = (connected: boolean): void =>
        void recordPresence(state.mediaSessions, route.query.session_id, { connected, hostId }, logger);
      const connection = await converse(opening, services, () => {
        present(false);
        onClosed();
      });
      present(true);
      return connection;
    }
    case "telephony":
      return openTelephony(socket, request, route.query, services, onClosed);
    case "dashboard": {
      const { session_id: sessionId } = route.query;
      const target = sessionId === undefined ? "all" : { sessionId };
      const relay = await startDashboardRelay(socket, services.state.liveUpdates, target, onClosed);
      return { drain: () => relay.close("draining"), close: async (reason) => relay.close(reason) };
    }
  }
}

/** What happens to the conversation happens to the call that carries it. */
async function openCall(opening: Opening, services: ConnectionServices, onClosed: () => void): Promise<LiveConnection> {
  const { callConnectionId, channel } = opening.request;
  const { callControl } = services;
  if (channel !== "phone" || callConnectionId === undefined || callControl === undefined)
    return converse(opening, services, onClosed);
  const connection = await converse(
    { ...opening, onEnded: (reason) => void callControl.hangUp(callConnectionId, reason) },
    services,
    onClosed,
  );
  // No farewell: the service opens the stream that we close on another host, and the conversation goes on there.
  return { ...connection, drain: () => connection.handOver() };
}

function openBrowser(socket: Socket, { query }: RouteOf<"browser">, { clock }: ConnectionServices): Opening {
  return {
    transport: createBrowserTransport({ socket, clock, sampleRateHz: rateOf(query.streaming_mode) }),
    request: {
      sessionId: query.session_id,
      channel: "browser",
      streamingMode: query.streaming_mode,
      scenario: query.scenario,
      agent: query.agent,
      userEmail: query.user_email,
      profileId: query.profile_id,
    },
  };
}

/** A call we know brings its session, scenario and mode; an unknown one (authentication is off) starts from the settings. */
async function openMedia(
  socket: Socket,
  request: IncomingMessage,
  { query }: RouteOf<"media">,
  { callControl, clock, settings, state }: ConnectionServices,
): Promise<Opening> {
  const call = await findCall(state.calls, query);
  const isService = isServicePeer(request);
  if (isService && call !== undefined) void callControl?.noteStream(call, query.call_connection_id);
  const channel = isService ? "phone" : "media";
  const streamingMode = call?.streamingMode ?? settings.streamingMode;
  const sampleRateHz = rateOf(streamingMode);
  const lastedMs = call?.connectedAtMs === undefined ? 0 : clock.wallNow() - call.connectedAtMs;
  return {
    ...(call === undefined ? {} : { longestMs: settings.commMaxCallMs - lastedMs }),
    transport: createMediaTransport({
      socket,
      clock,
      channel,
      peer: isService ? "service" : "client",
      sampleRateHz,
      format: { sampleRateHz, channels: 1, audioFormat: "pcm_16" },
    }),
    request: {
      sessionId: query.session_id ?? call?.sessionId,
      channel,
      streamingMode,
      scenario: call?.scenario,
      startAgent: call?.agent,
      context: call?.context,
      voicemail: isService ? voicemailOf(call, settings) : undefined,
      callConnectionId: query.call_connection_id,
      isRecorded: call?.recording,
    },
  };
}

/** Callers are no machines, and a machine that was found once is not looked for again. */
function voicemailOf(call: CallRecord | undefined, { commVoicemail }: Settings): VoicemailAnswer | undefined {
  if (call?.direction !== "outbound" || call.answeredBy !== undefined) return undefined;
  return call.voicemail ?? commVoicemail;
}

/** The format that `POST /media/sessions` agreed on. */
async function openMediaSession(
  socket: Socket,
  { query }: RouteOf<"media-session">,
  { clock, settings, state }: ConnectionServices,
): Promise<Opening> {
  const session = await state.mediaSessions.get(query.session_id);
  if (typeof session === "string") throw new BadRequestError("not_found", "No such media session.");
  const { audioFormat, channels, sampleRateHz } = session;
  if (audioFormat === "opus") throw new BadRequestError("audio_format_unsupported", "Opus cannot be streamed.");
  return {
    transport: createMediaTransport({
      socket,
      clock,
      channel: "media",
      peer: "client",
      sampleRateHz: rateOf(settings.streamingMode),
      format: { audioFormat, channels, sampleRateHz },
      chunkBytes: session.chunkSizeBytes,
      sendsTranscripts: session.transcriptionEnabled,
    }),
    request: {
      sessionId: session.sessionId,
      channel: "media",
      streamingMode: settings.streamingMode,
      callConnectionId: session.callConnectionId,
      detectsVoice: session.vadEnabled,
    },
  };
}

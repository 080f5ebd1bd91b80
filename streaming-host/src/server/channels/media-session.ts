/** `/v1/media/stream/<id>`: a client in the format that it agreed on with `POST /media/sessions`. */
import { countedAs } from "@voice/shared/auth/caller";
import { BadRequestError, toVoiceError } from "@voice/shared/platform/errors";
import type { Host } from "../../host/host.ts";
import { MediaTransport } from "../../transports/media/media-transport.ts";
import type { QueryOf } from "../accept/stream-routes.ts";
import type { AcceptedSocket } from "../accept/streaming-host.ts";
import type { ConversationOnTransport } from "../conversations/connect/connection.ts";
import { sampleRateOf } from "./sample-rate.ts";
import type { Logger } from "@voice/shared/platform/logger";
import type { MediaSessionPatch, MediaSessionStore } from "@voice/shared/state/ports/media-session-store";

export async function mediaSessionConversation(
  { socket, request, caller, traceparent, onClosed }: AcceptedSocket,
  query: QueryOf<"media-session">,
  { id: hostId, settings, state, clock, logger }: Host,
): Promise<ConversationOnTransport> {
  const session = await state.mediaSessions.get(query.session_id);
  if (typeof session === "string") throw new BadRequestError("not_found", "No such media session.");
  const { audioFormat, channels, sampleRateHz, sessionId } = session;
  if (audioFormat === "opus") throw new BadRequestError("audio_format_unsupported", "Opus cannot be streamed.");
  /** Written one after the other, so that the last write to be stored is also the latest state. */
  let recorded = Promise.resolve();
  const record = (connected: boolean): void => {
    recorded = recorded.then(() => recordPresence(state.mediaSessions, sessionId, { connected, hostId }, logger));
  };
  return {
    transport: new MediaTransport({
      socket,
      clock,
      channel: "media",
      peer: "client",
      sampleRateHz: sampleRateOf(settings.streamingMode),
      format: { audioFormat, channels, sampleRateHz },
      isNegotiated: true,
      listensItself: settings.streamingMode !== "TRANSCRIPTION",
      chunkBytes: session.chunkSizeBytes,
      sendsTranscripts: session.transcriptionEnabled,
    }),
    request: {
      caller,
      owner: session.owner,
      client: countedAs(caller, request.socket.remoteAddress),
      sessionId,
      channel: "media",
      streamingMode: settings.streamingMode,
      callConnectionId: session.callConnectionId,
      detectsVoice: session.vadEnabled,
      traceparent,
    },
    life: {
      onConnected: () => record(true),
      onClosed() {
        record(false);
        onClosed();
      },
    },
  };
}

/**
 * Another socket's open or close may come in between; a third attempt would mean that two sockets keep overwriting each
 * other.
 */
const maxAttempts = 3;

/** Keeps the stored media session's record of its socket up to date, without delaying the conversation. */
async function recordPresence(
  store: MediaSessionStore,
  sessionId: string,
  patch: MediaSessionPatch,
  logger: Logger,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      const session = await store.get(sessionId);
      if (typeof session !== "string") await store.update(sessionId, session.version, patch);
      return;
    } catch (error) {
      const { code } = toVoiceError(error);
      if (code === "conflict" && attempt < maxAttempts) continue;
      logger.warn({ code }, "a media session's presence could not be stored");
      return;
    }
  }
}

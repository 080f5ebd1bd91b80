/** Media streaming. */
import { ownerOf, requireAccess } from "@voice/shared/auth/caller";
import { apiPrefix, apiVersionName } from "@voice/shared/contracts/http/endpoint";
import { createMediaSession, getMediaSession, getMediaStatus } from "@voice/shared/contracts/http/media";
import { createId } from "@voice/shared/platform/ids";
import type { HostRegistry } from "@voice/shared/state/ports/host-registry";
import type { MediaSession } from "@voice/shared/state/ports/media-session-store";
import { answer, type Route } from "../http/route.ts";
import { streamingBaseUrl } from "../services/addresses.ts";
import { audioSettingsFor, mediaDefaults } from "../services/media-audio.ts";
import { requireKnown } from "../services/require-known.ts";
import { socketStatus } from "../services/socket-status.ts";

export const mediaRoutes: readonly Route[] = [
  answer(getMediaStatus)(async (_input, dependencies) => {
    const { settings } = dependencies;
    const { fleet, isUp, common, features } = await socketStatus(dependencies);
    return {
      ...common,
      streaming_mode: settings.streamingMode,
      websocket_endpoint: `${apiPrefix}/media/stream`,
      features: { real_time_audio: isUp, transcription: isUp, ...features },
      active_streams: fleet.connections.media,
      configuration: {
        sample_rate: settings.streamingMode === "VOICE_LIVE" ? 24_000 : mediaDefaults.sampleRateHz,
        channels: mediaDefaults.channels,
        audio_format: mediaDefaults.audioFormat,
        chunk_size: mediaDefaults.chunkSizeBytes,
      },
    };
  }),

  answer(createMediaSession)(async ({ body, request }, { clock, sessionQuota, settings, state }) => {
    // The call that the conversation's transfers and hang-ups apply to.
    const call = await state.calls.getByConnection(body.call_connection_id);
    if (call !== undefined) requireAccess(request.caller, call.owner, "call");
    await sessionQuota.require(request.caller.subject);
    const session = await state.mediaSessions.create({
      sessionId: createId("session"),
      owner: ownerOf(request.caller),
      callConnectionId: body.call_connection_id,
      ...audioSettingsFor(body),
      transcriptionEnabled: body.enable_transcription ?? true,
      vadEnabled: body.enable_vad ?? true,
      status: "active",
      connected: false,
      createdAtMs: clock.wallNow(),
    });
    return {
      session_id: session.sessionId,
      // Published without `/api`; the streaming host serves this path.
      websocket_url: `${streamingBaseUrl(settings, request.url)}/v1/media/stream/${session.sessionId}`,
      status: session.status,
      created_at: new Date(session.createdAtMs).toISOString(),
      configuration: configurationOf(session),
    };
  }),

  answer(getMediaSession)(async ({ params, request }, { state }) => {
    const found = await state.mediaSessions.get(params.session_id);
    const session = requireKnown(
      request.caller.tenant === undefined || found !== "expired" ? found : "unknown",
      "media session",
    );
    requireAccess(request.caller, session.owner, "media session");
    const connection = await mediaConnectionOf(session, state.hosts);
    return {
      session_id: session.sessionId,
      status: session.status,
      connection_state: connection,
      websocket_connected: connection === "connected",
      call_connection_id: session.callConnectionId,
      created_at: new Date(session.createdAtMs).toISOString(),
      configuration: configurationOf(session),
      enable_transcription: session.transcriptionEnabled,
      enable_vad: session.vadEnabled,
      api_version: apiVersionName,
      version: apiVersionName,
    };
  }),
];

function configurationOf(session: MediaSession) {
  return {
    channels: session.channels,
    chunk_size: session.chunkSizeBytes,
    format: session.audioFormat,
    sample_rate: session.sampleRateHz,
  };
}

/** Whether a media session has its socket now. The record is written by the host that has the socket, so a host that died has left it unchanged. */
async function mediaConnectionOf(
  { connected, hostId }: Pick<MediaSession, "connected" | "hostId">,
  hosts: Pick<HostRegistry, "list">,
): Promise<"pending" | "connected" | "disconnected"> {
  // The first socket's host stays in the record when that socket has closed.
  if (!connected) return hostId === undefined ? "pending" : "disconnected";
  const living = await hosts.list();
  return living.some((host) => host.hostId === hostId) ? "connected" : "disconnected";
}

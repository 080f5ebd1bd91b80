/** Whether a media session has its socket now. */
import type { HostRegistry } from "@voice/shared/state/ports/host-registry";
import type { MediaSession } from "@voice/shared/state/ports/media-session-store";

export type MediaConnection = "pending" | "connected" | "disconnected";

/** The record is written by the host that has the socket, so a host that died has left it unchanged. */
export async function mediaConnectionOf(
  { connected, hostId }: Pick<MediaSession, "connected" | "hostId">,
  hosts: Pick<HostRegistry, "list">,
): Promise<MediaConnection> {
  // The first socket's host stays in the record when that socket has closed.
  if (!connected) return hostId === undefined ? "pending" : "disconnected";
  const living = await hosts.list();
  return living.some((host) => host.hostId === hostId) ? "connected" : "disconnected";
}

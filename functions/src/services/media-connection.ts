/** Whether a media session has its socket now. */
import type { HostRegistry } from "@voice/shared/state/ports/host-registry";
import type { MediaSession } from "@voice/shared/state/ports/media-session-store";

export type MediaConnection = "pending" | "connected" | "disconnected";

/** The record is written by the host that has the socket, so a host that died has left it as it was. */
export async function mediaConnectionOf(
  { connected, status, hostId }: Pick<MediaSession, "connected" | "status" | "hostId">,
  hosts: Pick<HostRegistry, "list">,
): Promise<MediaConnection> {
  if (!connected) return status === "ended" ? "disconnected" : "pending";
  const living = await hosts.list();
  return living.some((host) => host.hostId === hostId) ? "connected" : "disconnected";
}

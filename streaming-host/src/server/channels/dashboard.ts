/** `/browser/dashboard/relay`: a watcher of one session, or of all. */
import { mayAccess } from "@voice/shared/auth/caller";
import type { LiveUpdate } from "@voice/shared/state/ports/live-updates";
import { ignoreMessages } from "../../transports/ignore-messages.ts";
import { startDashboardRelay } from "../../transports/dashboard/dashboard-relay.ts";
import type { LiveConnection } from "../accept/live-connections.ts";
import type { QueryOf } from "../accept/stream-routes.ts";
import type { AcceptedSocket } from "../accept/streaming-host.ts";
import type { ChannelServices } from "./channel-services.ts";

export async function openDashboard(
  { socket, caller, onClosed }: AcceptedSocket,
  { session_id: sessionId }: QueryOf<"dashboard">,
  { state, clock }: ChannelServices,
): Promise<LiveConnection> {
  const target = sessionId === undefined ? "all" : { sessionId };
  // A session that does not exist yet may later belong to another user, so each update is checked, not only the
  // request.
  const sees = ({ owner }: LiveUpdate): boolean => mayAccess(caller, owner);
  ignoreMessages(socket, clock);
  const relay = await startDashboardRelay({ socket, target, sees, onClosed }, state.liveUpdates);
  return { drain: () => relay.close("draining"), close: async (reason) => relay.close(reason) };
}

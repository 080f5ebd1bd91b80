/** `/browser/dashboard/relay`: a watcher of one session, or of all. */
import { mayAccess } from "@voice/shared/auth/caller";
import { operatorTopic, type OperatorCommand } from "@voice/shared/contracts/events/operator-command";
import type { LiveUpdate } from "@voice/shared/state/ports/live-updates";
import type { Host } from "../../host/host.ts";
import { startDashboardRelay } from "../../transports/dashboard/dashboard-relay.ts";
import type { LiveConnection } from "../accept/live-connections.ts";
import type { QueryOf } from "../accept/stream-routes.ts";
import type { AcceptedSocket } from "../accept/streaming-host.ts";
import { limitAccess } from "./onlooker-access.ts";

export async function openDashboard(
  { socket, caller, onClosed }: AcceptedSocket,
  { session_id: sessionId }: QueryOf<"dashboard">,
  host: Host,
): Promise<LiveConnection> {
  const target = sessionId === undefined ? "all" : { sessionId };
  let watcher = caller;
  // A session that does not exist yet may later belong to another user, so each update is checked, not only the
  // request.
  const sees = ({ owner }: LiveUpdate): boolean => mayAccess(watcher, owner);
  const { liveUpdates, broadcasts } = host.state;
  const relay = await startDashboardRelay({ socket, target, sees }, liveUpdates);
  const stopLimiting = limitAccess(
    {
      socket,
      caller,
      purpose: { type: "watch", sessionId },
      end: () => relay.close("tokenExpired"),
      onRenewed: (renewed) => {
        watcher = renewed;
      },
    },
    host,
  );
  relay.start(() => {
    stopLimiting();
    onClosed();
  });
  if (sessionId !== undefined) {
    const command: OperatorCommand = { type: "watch", sessionId };
    broadcasts.send(operatorTopic, JSON.stringify(command));
  }
  return { drain: () => relay.close("draining"), close: async (reason) => relay.close(reason) };
}

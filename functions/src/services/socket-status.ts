/** What the status documents of all sockets say. */
import { apiVersionName } from "@voice/shared/contracts/http/endpoint";
import type { Dependencies } from "../dependencies.ts";
import { fleetOrNone } from "./fleet.ts";

export async function socketStatus({ heartbeatReading, state }: Pick<Dependencies, "heartbeatReading" | "state">) {
  const fleet = await fleetOrNone(state.hosts, heartbeatReading);
  const isUp = fleet.status !== "unavailable";
  return {
    fleet,
    isUp,
    common: { status: fleet.status, protocols_supported: ["WebSocket"], version: apiVersionName },
    features: { orchestrator_support: isUp, session_management: fleet.isStoreUp },
    /** The state of the sockets that hold conversations, and of those that watch them. */
    ofConversations: { dashboard_broadcasting: isUp, conversation_streaming: isUp },
  };
}

/** The communication service at the other end of a media socket, and the call that it brings. */
import type { IncomingMessage } from "node:http";
import type { CallRecord, CallStore } from "@voice/shared/state/ports/call-store";

/** The header by which the service says which call a media socket belongs to. */
const callConnectionHeader = "x-ms-call-connection-id";

export function callConnectionIdOf({ headers }: IncomingMessage): string | undefined {
  const value = headers[callConnectionHeader];
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function isServicePeer(request: IncomingMessage): boolean {
  return callConnectionIdOf(request) !== undefined;
}

/** The service may connect before whoever placed or answered the call has learned its connection id. */
export async function findCall(
  calls: CallStore,
  { call_connection_id: connectionId, call_id: callId }: { call_connection_id: string; call_id?: string | undefined },
): Promise<CallRecord | undefined> {
  const known = await calls.getByConnection(connectionId);
  if (known !== undefined || callId === undefined) return known;
  const call = await calls.get(callId);
  // Whoever placed it may have learned the id since the first look.
  return [undefined, connectionId].includes(call?.callConnectionId) ? call : undefined;
}

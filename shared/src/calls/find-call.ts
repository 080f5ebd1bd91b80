/** Which call somebody means. */
import type { CallRecord, CallStore } from "../state/ports/call-store.ts";

export interface NamedCall {
  readonly connectionId: string;
  readonly callId?: string | undefined;
}

type Lookup = Pick<CallStore, "get" | "getByConnection">;

/**
 * By the communication service's id for it. The service may speak of a connection before whoever placed or answered the
 * call has learned that id; then our own id, which the service repeats to us, names the call.
 */
export async function findCall(calls: Lookup, { connectionId, callId }: NamedCall): Promise<CallRecord | undefined> {
  const byConnection = await calls.getByConnection(connectionId);
  if (byConnection !== undefined || callId === undefined) return byConnection;
  const call = await calls.get(callId);
  // The connection's id may have been written down since the first look. With another one it is not this call.
  const isOurs = call?.callConnectionId === undefined || call.callConnectionId === connectionId;
  return isOurs ? call : undefined;
}

/** Our own callers may name a call by either id. */
export async function findCallByEitherId(calls: Lookup, id: string): Promise<CallRecord | undefined> {
  return (await calls.getByConnection(id)) ?? (await calls.get(id));
}

/** Finds calls by their ids. */
import type { CallRecord, CallStore } from "../state/ports/call-store.ts";

export interface NamedCall {
  readonly connectionId: string;
  readonly callId?: string | undefined;
}

type Lookup = Pick<CallStore, "get" | "getByConnection">;

/**
 * Finds a call by the communication service's id. The service may send events about a connection before the process
 * that placed or answered the call has stored that id; then our own id, which the service sends back, identifies the
 * call.
 */
export async function findCall(calls: Lookup, { connectionId, callId }: NamedCall): Promise<CallRecord | undefined> {
  const byConnection = await calls.getByConnection(connectionId);
  if (byConnection !== undefined || callId === undefined) return byConnection;
  const call = await calls.get(callId);
  // The connection's id may have been stored since the first lookup. If it is a different one, this is not the call.
  const isOurs = call?.callConnectionId === undefined || call.callConnectionId === connectionId;
  return isOurs ? call : undefined;
}

/** Clients may use either id. */
export async function findCallByEitherId(calls: Lookup, id: string): Promise<CallRecord | undefined> {
  return (await calls.getByConnection(id)) ?? (await calls.get(id));
}

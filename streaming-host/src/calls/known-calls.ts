/**
 * The calls that this host has dealt with, for streams that arrive while the state store is unreachable (CACHE-5): it
 * placed or answered them, updated their records, or carried them before.
 */
import { findCall } from "@voice/shared/calls/find-call";
import type { NamedCall } from "@voice/shared/calls/find-call";
import type { CallRecord, CallStore } from "@voice/shared/state/ports/call-store";
import { isOutage, Recall } from "@voice/shared/state/recall";

/** Undefined if there is no such call; rejects if that cannot be found out. */
export type FindCall = (named: NamedCall) => Promise<CallRecord | undefined>;

export interface KnownCalls {
  /** The store itself, remembering every record that passes. */
  readonly calls: CallStore;
  /** Asks the store, and answers from memory while the store is unreachable. */
  readonly find: FindCall;
}

export function createKnownCalls(store: CallStore, hasStore: () => Promise<boolean>): KnownCalls {
  const recall = new Recall<CallRecord>(hasStore);

  function note<Call extends CallRecord | undefined>(call: Call): Call {
    if (call === undefined) return call;
    recall.note(call.callId, call);
    if (call.callConnectionId !== undefined) recall.note(call.callConnectionId, call);
    return call;
  }

  return {
    calls: {
      create: async (call) => note(await store.create(call)),
      get: async (callId) => note(await store.get(callId)),
      getByConnection: async (callConnectionId) => note(await store.getByConnection(callConnectionId)),
      events: (callId) => store.events(callId),
      update: async (callId, version, patch) => note(await store.update(callId, version, patch)),
      forget: (callId) => store.forget(callId),
      appendEvent: (callId, entry) => store.appendEvent(callId, entry),
      list: (query) => store.list(query),
    },
    async find(named) {
      try {
        return note(await recall.read(named.connectionId, () => findCall(store, named)));
      } catch (error) {
        const call = isOutage(error) && named.callId !== undefined ? recall.peek(named.callId) : undefined;
        // The connection's id may not have been stored when the store became unreachable.
        if (call === undefined || (call.callConnectionId ?? named.connectionId) !== named.connectionId) throw error;
        return call;
      }
    },
  };
}

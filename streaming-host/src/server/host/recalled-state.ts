/**
 * The state as this host's conversations see it: what they have read remains available while the store is unreachable
 * (CACHE-5). A session that comes back to this host, or begins on it, keeps the changes to its agents, and its
 * customer.
 */
import { findCall } from "@voice/shared/calls/find-call";
import type { NamedCall } from "@voice/shared/calls/find-call";
import type { CallRecord, CallStore } from "@voice/shared/state/ports/call-store";
import type { AgentOverride, AgentStore } from "@voice/shared/state/records/agent-store";
import type { ProfileStore, StoredProfile } from "@voice/shared/state/records/profile-store";
import type { SessionDocument, SessionDocuments } from "@voice/shared/state/records/session-documents";
import type { State } from "@voice/shared/state/ports/state";
import { isOutage, Recall } from "@voice/shared/state/recall";

/** Undefined if there is no such call; rejects if that cannot be found out. */
export type FindCall = (named: NamedCall) => Promise<CallRecord | undefined>;

type Recalled = Pick<State, "agents" | "scenarios" | "profiles" | "calls">;

export interface RecalledState extends Recalled {
  /** Asks the store, and answers from memory while the store is unreachable. */
  readonly findCall: FindCall;
}

export function recallState(state: Recalled, hasStore: () => Promise<boolean>): RecalledState {
  return {
    ...recallCalls(state.calls, hasStore),
    agents: recallAgents(state.agents, hasStore),
    scenarios: recallDocuments(state.scenarios, hasStore),
    profiles: recallProfiles(state.profiles, hasStore),
  };
}

function recallAgents(store: AgentStore, hasStore: () => Promise<boolean>): AgentStore {
  const recall = new Recall<readonly AgentOverride[]>(hasStore);
  recall.note("all", []);
  return {
    ...store,
    ...recallDocuments(store, hasStore),
    overrides: () => recall.read("all", () => store.overrides()),
  };
}

function recallDocuments(store: SessionDocuments, hasStore: () => Promise<boolean>): SessionDocuments {
  const recall = new Recall<readonly SessionDocument[]>(hasStore, {
    maxCharacters: maxDocumentCharacters,
    charactersOf,
  });
  return {
    ...store,
    list(sessionId) {
      // A session that was not seen here is new and has no definitions of its own yet.
      if (recall.peek(sessionId) === undefined) recall.note(sessionId, []);
      return recall.read(sessionId, async () => unchanged(await store.list(sessionId), recall.peek(sessionId)));
    },
  };
}

/** A client may make a session with a megabyte of agents as often as its quota lets it: this is 64 MB at most. */
const maxDocumentCharacters = 32_000_000;

/** Written down once for each version of a document, because counting costs as much as reading. */
const charactersOfDocument = new WeakMap<SessionDocument, number>();

function charactersOf(documents: readonly SessionDocument[]): number {
  return documents.reduce((sum, document) => {
    const known = charactersOfDocument.get(document) ?? JSON.stringify(document).length;
    charactersOfDocument.set(document, known);
    return sum + known;
  }, 0);
}

/** The same objects where they are the same documents: every turn reads them again. */
function unchanged(
  read: readonly SessionDocument[],
  before: readonly SessionDocument[] = [],
): readonly SessionDocument[] {
  return read.map((document, at) => {
    const known = before[at];
    const isKnown =
      known?.name === document.name && known.version === document.version && known.createdAtMs === document.createdAtMs;
    return isKnown ? known : document;
  });
}

function recallProfiles(store: ProfileStore, hasStore: () => Promise<boolean>): ProfileStore {
  const recall = new Recall<StoredProfile>(hasStore);
  return {
    ...store,
    get: (profileId) => recall.read(profileId, () => store.get(profileId)),
    async update(profileId, version, document) {
      const updated = await store.update(profileId, version, document);
      recall.note(profileId, updated);
      return updated;
    },
  };
}

/** For streams that arrive while the store is unreachable: the calls that this host placed, answered, updated or carried before. */
function recallCalls(store: CallStore, hasStore: () => Promise<boolean>): Pick<RecalledState, "calls" | "findCall"> {
  const recall = new Recall<CallRecord>(hasStore);

  function note<Call extends CallRecord | undefined>(call: Call): Call {
    if (call === undefined) return call;
    recall.note(call.callId, call);
    if (call.callConnectionId !== undefined) recall.note(call.callConnectionId, call);
    return call;
  }

  return {
    calls: {
      ...store,
      create: async (call) => note(await store.create(call)),
      get: async (callId) => note(await store.get(callId)),
      getByConnection: async (callConnectionId) => note(await store.getByConnection(callConnectionId)),
      update: async (callId, version, patch) => note(await store.update(callId, version, patch)),
    },
    async findCall(named) {
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

import { isInListOf } from "../../auth/tenant.ts";
import type { Clock } from "../../platform/clock.ts";
import { callOutcomeOf } from "../../contracts/calls/call-outcome.ts";
import { VoiceError } from "../../platform/errors.ts";
import { farNumberOf, forgottenPeople, maxCallLogEntries } from "../ports/call-store.ts";
import type { CallLogEntry, CallPatch, CallRecord, CallStore } from "../ports/call-store.ts";
import type { CallIndex } from "../ports/call-index.ts";
import { ExpiringMap } from "./expiring-map.ts";
import { newestPage } from "./newest-page.ts";

interface StoredCall {
  record: CallRecord;
  readonly log: CallLogEntry[];
  readonly eventIds: Set<string>;
}

export function createMemoryCallStore(clock: Clock, lifeSpanMs: number): CallStore {
  const calls = new ExpiringMap<StoredCall>(clock);
  const byConnection = new ExpiringMap<string>(clock);
  const restOfLife = ({ createdAtMs }: CallRecord): number => createdAtMs + lifeSpanMs - clock.wallNow();
  const living = (callId: string): StoredCall => {
    const stored = calls.get(callId);
    if (stored === undefined) throw new VoiceError("call_not_found", "there is no call with this id");
    return stored;
  };
  const enter = (record: CallRecord): CallRecord => {
    if (record.callConnectionId !== undefined)
      byConnection.set(record.callConnectionId, record.callId, restOfLife(record));
    return record;
  };
  const change = (stored: StoredCall, patch: CallPatch): CallRecord => {
    const { record } = stored;
    stored.record = { ...record, ...structuredClone(patch), version: record.version + 1 };
    return enter(stored.record);
  };
  return {
    async create(call) {
      if (calls.has(call.callId)) throw new VoiceError("conflict", "a call with this id exists");
      const record = { ...structuredClone(call), version: 1 };
      calls.set(call.callId, { record, log: [], eventIds: new Set() }, restOfLife(record));
      return enter(record);
    },
    get: async (callId) => calls.get(callId)?.record,
    async getByConnection(callConnectionId) {
      const callId = byConnection.get(callConnectionId);
      return callId === undefined ? undefined : calls.get(callId)?.record;
    },
    events: async (callId) => [...(calls.get(callId)?.log ?? [])],
    async update(callId, version, patch) {
      const stored = living(callId);
      if (stored.record.version !== version) throw new VoiceError("conflict", "the call was changed by someone else");
      return change(stored, patch);
    },
    async forget(callId) {
      const stored = calls.get(callId);
      if (stored !== undefined) change(stored, forgottenPeople);
    },
    async appendEvent(callId, entry) {
      const { log, eventIds } = living(callId);
      if (eventIds.has(entry.eventId)) return false;
      eventIds.add(entry.eventId);
      for (const oldest of eventIds) if (eventIds.size > maxCallLogEntries * 4) eventIds.delete(oldest);
      log.push(structuredClone(entry));
      if (log.length > maxCallLogEntries) log.shift();
      return true;
    },
    async list(query) {
      const { owner, number } = query;
      const listed = calls
        .values()
        .filter(({ record }) => belongsTo(record, query) && isInListOf(owner, record.owner))
        .filter(({ record }) => number === undefined || farNumberOf(record) === number)
        .map(({ record, log }) => ({ id: record.callId, atMs: record.createdAtMs, record, log }));
      const { page, total } = newestPage(listed, query);
      return { calls: page.map(({ record, log }) => ({ call: record, events: [...log] })), total };
    },
  };
}

function belongsTo(record: CallRecord, { direction, status, outcome }: CallIndex): boolean {
  return (
    (direction === undefined || record.direction === direction) &&
    (status === undefined || record.status === status) &&
    (outcome === undefined || callOutcomeOf(record) === outcome)
  );
}

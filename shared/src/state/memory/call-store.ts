import { isInListOf } from "../../auth/tenant.ts";
import type { Clock } from "../../platform/clock.ts";
import { callOutcomeOf } from "../../contracts/calls/call-outcome.ts";
import { VoiceError } from "../../platform/errors.ts";
import {
  maxCallLogEntries,
  type CallLogEntry,
  type CallPage,
  type CallPatch,
  type CallQuery,
  type CallRecord,
  type CallStore,
  farNumberOf,
  forgottenPeople,
  type LoggedCall,
  type NewCall,
} from "../ports/call-store.ts";
import { callIndexes, isSameIndex, type CallIndex } from "../ports/call-index.ts";
import { ExpiringMap } from "./expiring-map.ts";
import { SortedIndex } from "./sorted-index.ts";

interface StoredCall {
  record: CallRecord;
  readonly log: CallLogEntry[];
  readonly eventIds: Set<string>;
}

export class MemoryCallStore implements CallStore {
  readonly #clock: Clock;
  readonly #lifeSpanMs: number;
  readonly #calls: ExpiringMap<StoredCall>;
  readonly #byConnection: ExpiringMap<string>;
  readonly #indexes = callIndexes.map((of) => ({ of, members: new SortedIndex() }));

  constructor(clock: Clock, lifeSpanMs: number) {
    this.#clock = clock;
    this.#lifeSpanMs = lifeSpanMs;
    this.#calls = new ExpiringMap(clock);
    this.#byConnection = new ExpiringMap(clock);
  }

  async create(call: NewCall): Promise<CallRecord> {
    if (this.#calls.has(call.callId)) throw new VoiceError("conflict", "a call with this id exists");
    const record: CallRecord = { ...structuredClone(call), version: 1 };
    this.#calls.set(call.callId, { record, log: [], eventIds: new Set() }, this.#restOfLife(record));
    this.#index(record);
    return record;
  }

  async get(callId: string): Promise<CallRecord | undefined> {
    return this.#calls.get(callId)?.record;
  }

  async getByConnection(callConnectionId: string): Promise<CallRecord | undefined> {
    const callId = this.#byConnection.get(callConnectionId);
    return callId === undefined ? undefined : this.#calls.get(callId)?.record;
  }

  async events(callId: string): Promise<readonly CallLogEntry[]> {
    return [...(this.#calls.get(callId)?.log ?? [])];
  }

  async update(callId: string, version: number, patch: CallPatch): Promise<CallRecord> {
    const stored = this.#living(callId);
    if (stored.record.version !== version) throw new VoiceError("conflict", "the call was changed by someone else");
    stored.record = { ...stored.record, ...structuredClone(patch), version: version + 1 };
    this.#index(stored.record);
    return stored.record;
  }

  async forget(callId: string): Promise<void> {
    const call = this.#calls.get(callId)?.record;
    if (call !== undefined) await this.update(callId, call.version, forgottenPeople);
  }

  async appendEvent(callId: string, entry: CallLogEntry): Promise<boolean> {
    const { log, eventIds } = this.#living(callId);
    if (eventIds.has(entry.eventId)) return false;
    eventIds.add(entry.eventId);
    for (const oldest of eventIds) if (eventIds.size > maxCallLogEntries * 4) eventIds.delete(oldest);
    log.push(structuredClone(entry));
    if (log.length > maxCallLogEntries) log.shift();
    return true;
  }

  async list(query: CallQuery): Promise<CallPage> {
    const { offset, limit, owner, number, fromMs = 0, beforeMs = Number.POSITIVE_INFINITY } = query;
    const members = this.#indexes.find(({ of }) => isSameIndex(of, query))?.members;
    // Times are whole milliseconds.
    const floor = Math.max(this.#floor(), fromMs - 1);
    const newer = members?.countAbove(beforeMs - 1) ?? 0;
    const total = Math.max(0, (members?.countAbove(floor) ?? 0) - newer);
    if (owner === undefined && number === undefined)
      return { calls: this.#read(members?.newestFirst(newer + offset, limit, floor) ?? []), total };
    const matching = this.#read(members?.newestFirst(newer, total, floor) ?? [])
      .filter(({ call }) => isInListOf(owner, call.owner))
      .filter(({ call }) => number === undefined || farNumberOf(call) === number);
    return { calls: matching.slice(offset, offset + limit), total: matching.length };
  }

  #read(ids: readonly string[]): LoggedCall[] {
    return ids.flatMap((id) => {
      const stored = this.#calls.get(id);
      return stored === undefined ? [] : [{ call: stored.record, events: [...stored.log] }];
    });
  }

  #living(callId: string): StoredCall {
    const stored = this.#calls.get(callId);
    if (stored === undefined) throw new VoiceError("call_not_found", "there is no call with this id");
    return stored;
  }

  #index(record: CallRecord): void {
    if (record.callConnectionId !== undefined)
      this.#byConnection.set(record.callConnectionId, record.callId, this.#restOfLife(record));
    for (const { of, members } of this.#indexes) {
      members.trim(this.#floor());
      if (belongsTo(record, of)) members.set(record.callId, record.createdAtMs);
      else members.remove(record.callId);
    }
  }

  #restOfLife(record: CallRecord): number {
    return record.createdAtMs + this.#lifeSpanMs - this.#clock.wallNow();
  }

  /** Calls created this long ago have expired. */
  #floor(): number {
    return this.#clock.wallNow() - this.#lifeSpanMs;
  }
}

function belongsTo(record: CallRecord, { direction, status, outcome }: CallIndex): boolean {
  return (
    (direction === undefined || record.direction === direction) &&
    (status === undefined || record.status === status) &&
    (outcome === undefined || callOutcomeOf(record) === outcome)
  );
}

import type { Clock } from "../../platform/clock.ts";
import { callStatuses, type CallStatus } from "../../contracts/calls/call-status.ts";
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
  type LoggedCall,
  type NewCall,
} from "../ports/call-store.ts";
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
  readonly #all = new SortedIndex();
  readonly #byStatus: ReadonlyMap<CallStatus, SortedIndex> = new Map(
    callStatuses.map((status) => [status, new SortedIndex()]),
  );

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
    this.#byStatus.get(stored.record.status)?.remove(callId);
    stored.record = { ...stored.record, ...structuredClone(patch), version: version + 1 };
    this.#index(stored.record);
    return stored.record;
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
    const index = query.status === undefined ? this.#all : this.#byStatus.get(query.status);
    const floor = this.#floor();
    const total = index?.countAbove(floor) ?? 0;
    if (query.owner === undefined && query.number === undefined)
      return { calls: this.#read(index?.newestFirst(query.offset, query.limit, floor) ?? []), total };
    const all = this.#read(index?.newestFirst(0, total, floor) ?? []);
    const matching = all
      .filter(({ call }) => query.owner === undefined || call.owner === query.owner)
      .filter(({ call }) => query.number === undefined || farNumberOf(call) === query.number);
    return { calls: matching.slice(query.offset, query.offset + query.limit), total: matching.length };
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
    for (const index of [this.#all, this.#byStatus.get(record.status)]) {
      index?.trim(this.#floor());
      index?.set(record.callId, record.createdAtMs);
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

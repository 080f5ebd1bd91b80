import { listsOfOwner } from "../../auth/tenant.ts";
import { z } from "zod";
import type { Clock } from "../../platform/clock.ts";
import { VoiceError } from "../../platform/errors.ts";
import { RecentlyUsed } from "../../platform/recently-used.ts";
import {
  callLogEntry,
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
import { callIndexes } from "../ports/call-index.ts";
import { appendCallEvent, createCall, updateCall } from "./call-scripts.ts";
import type { RedisConnections } from "./connection.ts";
import { jsonOf } from "../stored-json.ts";
import { fromFields, toFields, toPatchArguments } from "./hash-record.ts";
import { membersOf, oldestOf, pageOfIndex } from "./index-page.ts";
import { IndexUpkeep } from "./index-upkeep.ts";
import type { Keys } from "./keys.ts";
import { parseCall, toStoredCall, toStoredPatch } from "./stored-call.ts";
import type { RedisStoreOptions } from "./store-options.ts";
import { updateWithRetry } from "../update-with-retry.ts";

const logList = z.array(jsonOf(callLogEntry));

/** Ids of log entries are remembered for longer than the entries, because webhooks may be repeated late. */
const rememberedEventIds = maxCallLogEntries * 4;

const rememberedOwners = 1000;

export class RedisCallStore implements CallStore {
  readonly #connections: RedisConnections;
  readonly #clock: Clock;
  readonly #keys: Keys;
  readonly #lifeSpanMs: number;
  readonly #upkeep: IndexUpkeep;
  /** Of the lists of those who have called lately. */
  readonly #upkeepOfOwners = new RecentlyUsed<IndexUpkeep>(rememberedOwners);

  constructor(options: RedisStoreOptions) {
    this.#connections = options.connections;
    this.#clock = options.clock;
    this.#keys = options.keys;
    this.#lifeSpanMs = options.lifeSpans.callMs;
    this.#upkeep = new IndexUpkeep(options.clock, this.#lifeSpanMs);
  }

  async create(call: NewCall): Promise<CallRecord> {
    const created: CallRecord = { ...call, version: 1 };
    const restOfLifeMs = Math.max(1, call.createdAtMs + this.#lifeSpanMs - this.#clock.wallNow());
    const ofOwner = this.#listsOf(listsOfOwner(call.owner), undefined);
    const ofNumber = this.#listsOf([], farNumberOf(call));
    const { direction, status, failureCode } = call;
    const standing = [direction, status, failureCode].map((value) =>
      value === undefined ? "" : JSON.stringify(value),
    );
    const head = this.#head(call.callId, call.createdAtMs, restOfLifeMs);
    const keys = this.#scriptKeys(call.callId, [...ofOwner, ...ofNumber], call.callConnectionId);
    const lists = [ofOwner.length, ofNumber.length, ofOwner.some((list) => this.#isUpkeepDue(list)) ? 1 : 0];
    const args = [...head, ...lists, ...standing, ...toFields(toStoredCall(created))];
    const outcome = await this.#connections.run((redis) => createCall(redis, keys, args));
    if (outcome === "conflict") throw new VoiceError("conflict", "a call with this id exists");
    return created;
  }

  async get(callId: string): Promise<CallRecord | undefined> {
    const { record } = this.#keys.call(callId);
    return toCall(await this.#connections.run((redis) => redis.hgetall(record)));
  }

  async getByConnection(callConnectionId: string): Promise<CallRecord | undefined> {
    const key = this.#keys.callByConnection(callConnectionId);
    const callId = await this.#connections.run((redis) => redis.get(key));
    return callId === null ? undefined : this.get(callId);
  }

  async events(callId: string): Promise<readonly CallLogEntry[]> {
    const { log } = this.#keys.call(callId);
    return logList.parse(await this.#connections.run((redis) => redis.lrange(log, 0, -1)));
  }

  async update(callId: string, version: number, patch: CallPatch): Promise<CallRecord> {
    const args = [...this.#head(callId, 0, 0), version, ...toPatchArguments(toStoredPatch(patch))];
    const keys = this.#scriptKeys(callId, [], patch.callConnectionId);
    const reply = await this.#connections.run((redis) => updateCall(redis, keys, args));
    if (reply === "absent") throw new VoiceError("call_not_found", "there is no call with this id");
    if (reply === "conflict") throw new VoiceError("conflict", "the call was changed by someone else");
    return parseCall(fromFields(reply));
  }

  async forget(callId: string): Promise<void> {
    const found = await this.get(callId);
    if (found === undefined) return;
    const number = farNumberOf(found);
    await updateWithRetry({
      read: async () => (await this.get(callId)) ?? found,
      decide: ({ isForgotten }) => (isForgotten === true ? undefined : forgottenPeople),
      write: ({ version }, patch) => this.update(callId, version, patch),
    });
    if (number === undefined) return;
    await this.#connections.run((redis) => redis.zrem(this.#keys.callsOfNumber(number), callId));
  }

  async appendEvent(callId: string, entry: CallLogEntry): Promise<boolean> {
    const { record, log, eventIds } = this.#keys.call(callId);
    const limits = [maxCallLogEntries, rememberedEventIds, this.#lifeSpanMs];
    const args = [entry.eventId, JSON.stringify(entry), ...limits];
    const reply = await this.#connections.run((redis) => appendCallEvent(redis, [record, log, eventIds], args));
    if (reply === "absent") throw new VoiceError("call_not_found", "there is no call with this id");
    return reply === "appended";
  }

  async list(query: CallQuery): Promise<CallPage> {
    const { offset, limit, status, outcome, direction } = query;
    const lists = this.#listsOf(query.owner === undefined ? [] : [query.owner], query.number);
    const isFiltered = [status, outcome, direction].some((filter) => filter !== undefined);
    const index = isFiltered || lists.length === 0 ? [this.#keys.callIndex({ status, outcome, direction })] : [];
    const [list = this.#keys.callIndex({}), ...others] = [...lists, ...index];
    if (others.length > 0) {
      const ids = await this.#idsIn(list, others, query);
      return { calls: await this.#read(ids.slice(offset, offset + limit)), total: ids.length };
    }
    const { ids, total } = await pageOfIndex(this.#connections, list, query, this.#floor());
    return { total, calls: await this.#read(ids) };
  }

  async #read(ids: readonly string[]): Promise<LoggedCall[]> {
    const keys = ids.map((id) => this.#keys.call(id));
    const calls = await this.#connections.run((redis) =>
      Promise.all(keys.map(({ record, log }) => Promise.all([redis.hgetall(record), redis.lrange(log, 0, -1)]))),
    );
    return calls.flatMap(([fields, log]) => {
      const call = toCall(fields);
      return call === undefined ? [] : [{ call, events: logList.parse(log) }];
    });
  }

  /**
   * Starts from the set that is usually smallest: one person has fewer calls than a client that places calls for
   * everybody.
   */
  #listsOf(owners: readonly string[], number: string | undefined): string[] {
    return [
      ...(number === undefined ? [] : [this.#keys.callsOfNumber(number)]),
      ...owners.map((owner) => this.#keys.callsOfOwner(owner)),
    ];
  }

  /** The calls of the query's time that are in the list and in all the other sets, newest first. */
  async #idsIn(list: string, others: readonly string[], query: CallQuery): Promise<string[]> {
    const newest = query.beforeMs === undefined ? "+inf" : `(${query.beforeMs}`;
    let ids = await this.#connections.run((redis) =>
      redis.zrange(list, newest, oldestOf(query, this.#floor()), "BYSCORE", "REV"),
    );
    for (const other of others) ids = await membersOf(this.#connections, other, ids, query, this.#floor());
    return ids;
  }

  #scriptKeys(callId: string, lists: readonly string[], callConnectionId: string | undefined): string[] {
    const { callIndex, callByConnection } = this.#keys;
    const byConnection = callConnectionId === undefined ? [] : [callByConnection(callConnectionId)];
    return [...callIndexes.map(callIndex), this.#keys.call(callId).record, ...lists, ...byConnection];
  }

  #isUpkeepDue(list: string): boolean {
    const upkeep = this.#upkeepOfOwners.get(list) ?? new IndexUpkeep(this.#clock, this.#lifeSpanMs);
    this.#upkeepOfOwners.set(list, upkeep, 1);
    return upkeep.isDue();
  }

  #head(callId: string, createdAtMs: number, restOfLifeMs: number): (string | number)[] {
    const isDue = this.#upkeep.isDue() ? 1 : 0;
    return [callId, createdAtMs, restOfLifeMs, this.#upkeep.lifeSpanMs, this.#floor(), isDue];
  }

  /** Calls created before this time have expired. */
  #floor(): number {
    return this.#clock.wallNow() - this.#lifeSpanMs;
  }
}

function toCall(fields: Record<string, string>): CallRecord | undefined {
  return fields["version"] === undefined ? undefined : parseCall(fromFields(fields));
}

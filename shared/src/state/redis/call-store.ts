import { listsOfOwner } from "../../auth/tenant.ts";
import { z } from "zod";
import { VoiceError } from "../../platform/errors.ts";
import { RecentlyUsed } from "../../platform/recently-used.ts";
import {
  callLogEntry,
  maxCallLogEntries,
  type CallPage,
  type CallPatch,
  type CallQuery,
  type CallRecord,
  type CallStore,
  farNumberOf,
  forgottenPeople,
  type LoggedCall,
} from "../ports/call-store.ts";
import { callIndexes } from "../ports/call-index.ts";
import { appendCallEvent, createCall, updateCall } from "./call-scripts.ts";
import type { RedisConnections } from "./connection.ts";
import { jsonOf } from "../stored-json.ts";
import { fromFields, toFields, toPatchArguments } from "./hash-record.ts";
import { membersOf, oldestOf, pageOfIndex } from "./index-page.ts";
import { createIndexUpkeep, type IndexUpkeep } from "./index-upkeep.ts";
import type { Keys } from "./keys.ts";
import { parseCall, toStoredCall, toStoredPatch } from "./stored-call.ts";
import type { RedisStoreOptions } from "./store-options.ts";
import { updateWithRetry } from "../update-with-retry.ts";

const logList = z.array(jsonOf(callLogEntry));

/** Ids of log entries are remembered for longer than the entries, because webhooks may be repeated late. */
const rememberedEventIds = maxCallLogEntries * 4;

const rememberedOwners = 1000;

export function createRedisCallStore(options: RedisStoreOptions): CallStore {
  const { connections, clock, keys } = options;
  const lifeSpanMs = options.lifeSpans.callMs;
  const upkeep = createIndexUpkeep(clock, lifeSpanMs);
  /** The upkeep of the lists of recent callers. */
  const upkeepOfOwners = new RecentlyUsed<IndexUpkeep>(rememberedOwners);

  function isUpkeepDue(list: string): boolean {
    const ofOwner = upkeepOfOwners.get(list) ?? createIndexUpkeep(clock, lifeSpanMs);
    upkeepOfOwners.set(list, ofOwner, 1);
    return ofOwner.isDue();
  }

  function head(callId: string, createdAtMs: number, restOfLifeMs: number): (string | number)[] {
    const floor = clock.wallNow() - lifeSpanMs;
    return [callId, createdAtMs, restOfLifeMs, upkeep.lifeSpanMs, floor, upkeep.isDue() ? 1 : 0];
  }

  function scriptKeys(callId: string, lists: readonly string[], callConnectionId: string | undefined): string[] {
    const byConnection = callConnectionId === undefined ? [] : [keys.callByConnection(callConnectionId)];
    return [...callIndexes.map(keys.callIndex), keys.call(callId).record, ...lists, ...byConnection];
  }

  async function get(callId: string): Promise<CallRecord | undefined> {
    return toCall(await connections.run((redis) => redis.hgetall(keys.call(callId).record)));
  }

  async function update(callId: string, version: number, patch: CallPatch): Promise<CallRecord> {
    const args = [...head(callId, 0, 0), version, ...toPatchArguments(toStoredPatch(patch))];
    const where = scriptKeys(callId, [], patch.callConnectionId);
    const reply = await connections.run((redis) => updateCall(redis, where, args));
    if (reply === "absent") throw new VoiceError("call_not_found", "there is no call with this id");
    if (reply === "conflict") throw new VoiceError("conflict", "the call was changed by someone else");
    return parseCall(fromFields(reply));
  }

  return {
    get,
    update,
    list: (query) => listCalls(query, options),
    async create(call) {
      const created: CallRecord = { ...call, version: 1 };
      const restOfLifeMs = Math.max(1, call.createdAtMs + lifeSpanMs - clock.wallNow());
      const ofOwner = listsOf(listsOfOwner(call.owner), undefined, keys);
      const ofNumber = listsOf([], farNumberOf(call), keys);
      const standing = [call.direction, call.status, call.failureCode].map((value) =>
        value === undefined ? "" : JSON.stringify(value),
      );
      const lists = [ofOwner.length, ofNumber.length, ofOwner.some(isUpkeepDue) ? 1 : 0];
      const where = scriptKeys(call.callId, [...ofOwner, ...ofNumber], call.callConnectionId);
      const facts = [...lists, ...standing, ...toFields(toStoredCall(created))];
      const args = [...head(call.callId, call.createdAtMs, restOfLifeMs), ...facts];
      const outcome = await connections.run((redis) => createCall(redis, where, args));
      if (outcome === "conflict") throw new VoiceError("conflict", "a call with this id exists");
      return created;
    },
    async getByConnection(callConnectionId) {
      const callId = await connections.run((redis) => redis.get(keys.callByConnection(callConnectionId)));
      return callId === null ? undefined : get(callId);
    },
    events: async (callId) =>
      logList.parse(await connections.run((redis) => redis.lrange(keys.call(callId).log, 0, -1))),
    async forget(callId) {
      const found = await get(callId);
      if (found === undefined) return;
      const number = farNumberOf(found);
      await updateWithRetry({
        read: async () => (await get(callId)) ?? found,
        decide: ({ isForgotten }) => (isForgotten === true ? undefined : forgottenPeople),
        write: ({ version }, patch) => update(callId, version, patch),
      });
      if (number !== undefined) await connections.run((redis) => redis.zrem(keys.callsOfNumber(number), callId));
    },
    async appendEvent(callId, entry) {
      const { record, log, eventIds } = keys.call(callId);
      const args = [entry.eventId, JSON.stringify(entry), maxCallLogEntries, rememberedEventIds, lifeSpanMs];
      const reply = await connections.run((redis) => appendCallEvent(redis, [record, log, eventIds], args));
      if (reply === "absent") throw new VoiceError("call_not_found", "there is no call with this id");
      return reply === "appended";
    },
  };
}

async function listCalls(
  query: CallQuery,
  { connections, clock, keys, lifeSpans }: RedisStoreOptions,
): Promise<CallPage> {
  const { offset, limit, status, outcome, direction } = query;
  /** Calls created before this time have expired. */
  const floor = clock.wallNow() - lifeSpans.callMs;
  const lists = listsOf(query.owner === undefined ? [] : [query.owner], query.number, keys);
  const isFiltered = [status, outcome, direction].some((filter) => filter !== undefined);
  const index = isFiltered || lists.length === 0 ? [keys.callIndex({ status, outcome, direction })] : [];
  const [list = keys.callIndex({}), ...others] = [...lists, ...index];
  if (others.length === 0) {
    const { ids, total } = await pageOfIndex(connections, list, query, floor);
    return { total, calls: await readCalls(ids, connections, keys) };
  }
  // Those of the query's time that are in the list and in all the other sets, newest first.
  const newest = query.beforeMs === undefined ? "+inf" : `(${query.beforeMs}`;
  let ids = await connections.run((redis) => redis.zrange(list, newest, oldestOf(query, floor), "BYSCORE", "REV"));
  for (const other of others) ids = await membersOf(connections, other, ids, query, floor);
  return { total: ids.length, calls: await readCalls(ids.slice(offset, offset + limit), connections, keys) };
}

async function readCalls(ids: readonly string[], connections: RedisConnections, { call }: Keys): Promise<LoggedCall[]> {
  const calls = await connections.run((redis) =>
    Promise.all(ids.map(call).map(({ record, log }) => Promise.all([redis.hgetall(record), redis.lrange(log, 0, -1)]))),
  );
  return calls.flatMap(([fields, log]) => {
    const found = toCall(fields);
    return found === undefined ? [] : [{ call: found, events: logList.parse(log) }];
  });
}

/**
 * Begins with the set that is usually smallest: one person has fewer calls than a client that places calls for
 * everybody.
 */
function listsOf(owners: readonly string[], number: string | undefined, keys: Keys): string[] {
  return [
    ...(number === undefined ? [] : [keys.callsOfNumber(number)]),
    ...owners.map((owner) => keys.callsOfOwner(owner)),
  ];
}

function toCall(fields: Record<string, string>): CallRecord | undefined {
  return fields["version"] === undefined ? undefined : parseCall(fromFields(fields));
}

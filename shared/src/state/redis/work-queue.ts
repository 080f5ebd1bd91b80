/**
 * A sorted set of pieces of work by due time, measured by the server's clock, a hash of their holders, a hash for each piece
 * that has a content, a sorted set of those by the time since when they have waited, and a set of those of each group. All keys
 * of one queue are in one slot.
 */
import { z } from "zod";
import type { Hold, WorkQueue } from "../ports/work-queue.ts";
import type { RedisConnections } from "./connection.ts";
import type { QueueKeys } from "./keys.ts";
import { defineScript, type Script } from "./script.ts";

/** KEYS begin with due, holders; ARGV with the life span, and then the id where there is one. */
const prelude = `
local function holder() return redis.call('HGET', KEYS[2], ARGV[2]) end
local function remove(id)
  redis.call('ZREM', KEYS[1], id)
  redis.call('HDEL', KEYS[2], id)
end
`;

/** Milliseconds with a fraction, so that a lease that is renewed ends at another time, however soon that is. */
const timed = `${prelude}
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local function schedule(id, span, holder)
  redis.call('ZADD', KEYS[1], now + span, id)
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  if holder then
    redis.call('HSET', KEYS[2], id, holder)
    redis.call('PEXPIRE', KEYS[2], ARGV[1])
  else redis.call('HDEL', KEYS[2], id) end
end
`;

/** ARGV from 2: id, span. */
const expectPiece = defineScript(`${timed}
if not redis.call('ZSCORE', KEYS[1], ARGV[2]) then schedule(ARGV[2], ARGV[3]) end
return 1
`);

/** ARGV from 2: id, span, holder if somebody is to have it. */
const assign = defineScript(`${timed} schedule(ARGV[2], ARGV[3], ARGV[4]) return 1`);

/** ARGV from 2: id, holder, span. */
const claim = defineScript(`${timed}
local present = holder()
if present and present ~= ARGV[3] then return 0 end
schedule(ARGV[2], ARGV[4], ARGV[3])
return 1
`);

/** ARGV from 2: id. */
const leaseOf = defineScript(`${timed}
local present, ends = holder(), redis.call('ZSCORE', KEYS[1], ARGV[2])
return present and ends and { present, ends, math.floor(tonumber(ends) - now) } or {}
`);

/** ARGV from 2: id, holder, the end of the lease, span. */
const revoke = defineScript(`${timed}
if holder() ~= ARGV[3] or redis.call('ZSCORE', KEYS[1], ARGV[2]) ~= ARGV[4] then return 0 end
schedule(ARGV[2], ARGV[5])
return 1
`);

/** As many as Lua takes as arguments of one command, and more than a host has. */
const mostRenewed = 1000;

/**
 * ARGV from 2: span, then id, holder, … A host does this twice a second for all its calls, so it takes two commands for all of
 * them and not the five of `schedule` for each. Returns the positions of those that the holder has no more, from 1.
 */
const renew = defineScript(`${timed}
local ids, renewed, lost = {}, {}, {}
for i = 3, #ARGV, 2 do ids[#ids + 1] = ARGV[i] end
for i, present in ipairs(redis.call('HMGET', KEYS[2], unpack(ids))) do
  local own = ARGV[2 + 2 * i]
  if present == own then
    renewed[#renewed + 1] = now + ARGV[2]
    renewed[#renewed + 1] = ids[i]
  elseif not present and not redis.call('ZSCORE', KEYS[1], ids[i]) then schedule(ids[i], ARGV[2], own)
  else lost[#lost + 1] = i end
end
if #renewed > 0 then redis.call('ZADD', KEYS[1], unpack(renewed)) end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
redis.call('PEXPIRE', KEYS[2], ARGV[1])
return lost
`);

/** ARGV from 2: id, holder, span. */
const release = defineScript(`${timed}
if holder() == ARGV[3] then schedule(ARGV[2], ARGV[4]) end
return 1
`);

/** How many due pieces, of whatever lane, are searched for those of one lane: about half a millisecond. */
const searched = 1000;

/**
 * ARGV from 2: lease, limit, ending of the lane's ids ('' for all). Where one lane has more pieces due than are searched, those
 * of the other lanes are found from the other end.
 */
const take = defineScript(`${timed}
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[1])
local taken, limit, ending = {}, tonumber(ARGV[3]), ARGV[4]
local function takeOf(ids)
  local own, due = {}, {}
  for _, id in ipairs(ids) do
    if #taken == limit then break end
    if ending == '' or string.sub(id, -#ending) == ending then
      taken[#taken + 1], own[#own + 1] = id, id
      due[#due + 1], due[#due + 2] = now + ARGV[2], id
    end
  end
  if #own == 0 then return end
  redis.call('ZADD', KEYS[1], unpack(due))
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  redis.call('HDEL', KEYS[2], unpack(own))
end
local count = ending == '' and limit or ${searched}
local oldest = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, count)
takeOf(oldest)
if ending ~= '' and #oldest == count then
  takeOf(redis.call('ZREVRANGEBYSCORE', KEYS[1], now, '-inf', 'LIMIT', 0, count))
end
return taken
`);

/** KEYS from 3: the piece, those that wait, its group if it has one. ARGV from 2: id, span, facts, body ('' if unknown). */
const put = defineScript(`${timed}
local facts, body, done = unpack(redis.call('HMGET', KEYS[3], 'facts', 'body', 'done'))
if done or body or (facts and ARGV[5] == '') then return 0 end
if ARGV[5] == '' then redis.call('HSET', KEYS[3], 'facts', ARGV[4])
else redis.call('HSET', KEYS[3], 'facts', ARGV[4], 'body', ARGV[5]) end
redis.call('PEXPIRE', KEYS[3], ARGV[1])
if not facts then redis.call('ZADD', KEYS[4], now, ARGV[2]) end
redis.call('ZREMRANGEBYSCORE', KEYS[4], '-inf', now - ARGV[1])
redis.call('PEXPIRE', KEYS[4], ARGV[1])
if KEYS[5] then
  redis.call('SADD', KEYS[5], ARGV[2])
  redis.call('PEXPIRE', KEYS[5], ARGV[1])
end
schedule(ARGV[2], ARGV[3])
return 1
`);

/** KEYS from 3: the piece. ARGV from 2: id, span. */
const hasten = defineScript(`${timed}
if holder() or redis.call('HEXISTS', KEYS[3], 'body') == 1 then return 0 end
return redis.call('ZADD', KEYS[1], 'XX', 'LT', now + ARGV[3], ARGV[2])
`);

/** KEYS from 3: the piece, those that wait. ARGV from 2: id. */
const begin = defineScript(`${prelude}
local facts, body = unpack(redis.call('HMGET', KEYS[3], 'facts', 'body'))
if not facts then
  remove(ARGV[2])
  redis.call('ZREM', KEYS[4], ARGV[2])
  return {}
end
local attempt = redis.call('HINCRBY', KEYS[3], 'attempt', 1)
redis.call('HSET', KEYS[2], ARGV[2], attempt)
redis.call('PEXPIRE', KEYS[2], ARGV[1])
return { facts, body or '', attempt }
`);

/** KEYS from 3: the piece. ARGV from 2: id, holder, body. */
const keepBody = defineScript(`${prelude}
if holder() ~= ARGV[3] or redis.call('HEXISTS', KEYS[3], 'facts') == 0 then return 0 end
redis.call('HSET', KEYS[3], 'body', ARGV[4])
return 1
`);

/** KEYS from 3: the piece, those that wait, its group if it has one. ARGV from 2: id, holder. */
const finish = defineScript(`${prelude}
if holder() ~= ARGV[3] then return 0 end
remove(ARGV[2])
redis.call('ZREM', KEYS[4], ARGV[2])
if KEYS[5] then redis.call('SREM', KEYS[5], ARGV[2]) end
redis.call('HDEL', KEYS[3], 'facts', 'body')
redis.call('HSET', KEYS[3], 'done', 1)
return 1
`);

/** KEYS from 3: those that wait. ARGV from 2: limit. Hosts of the version before this one leave some there that are done. */
const waiting = defineScript(`${timed}
local found = {}
local known = redis.call('ZRANGE', KEYS[3], 0, ARGV[2] - 1, 'WITHSCORES')
for i = 1, #known, 2 do
  if redis.call('ZSCORE', KEYS[1], known[i]) then
    found[#found + 1] = { known[i], math.floor(now - known[i + 1]) }
  end
end
return found
`);

const ids = z.array(z.string());
const whatWaits = z.array(z.tuple([z.string(), z.number()]).transform(([id, forMs]) => ({ id, forMs })));
const positions = z.array(z.number());
const heldUntil = z.union([z.tuple([z.string(), z.string(), z.number()]), z.tuple([])]);
const begun = z.union([z.tuple([z.string(), z.string(), z.number()]), z.tuple([])]);

/** `lifeSpanMs`: the longest time that a piece is remembered. */
export function createRedisWorkQueue(connections: RedisConnections, keys: QueueKeys, lifeSpanMs: number): WorkQueue {
  const { due, holders, waiting: since, piece, group: groupOf } = keys;
  const run = (script: Script, args: readonly (string | number)[], further: readonly string[] = []) =>
    connections.run((redis) => script(redis, [due, holders, ...further], [lifeSpanMs, ...args]));
  const inGroup = (id: string, group: string | undefined) =>
    group === undefined ? [piece(id), since] : [piece(id), since, groupOf(group)];
  return {
    expect: async (id, dueInMs) => void (await run(expectPiece, [id, dueInMs])),
    set: async (id, dueInMs) => void (await run(assign, [id, dueInMs])),
    hold: async ({ id, holder }, forMs) => void (await run(assign, [id, forMs, holder])),
    claim: async ({ id, holder }, forMs) => (await run(claim, [id, holder, forMs])) === 1,
    async renew<T extends Hold>(holds: readonly T[], forMs: number) {
      const lost: T[] = [];
      for (let from = 0; from < holds.length; from += mostRenewed) {
        const portion = holds.slice(from, from + mostRenewed);
        const reply = await run(renew, [forMs, ...portion.flatMap(({ id, holder }) => [id, holder])]);
        const isLost = new Set(positions.parse(reply));
        lost.push(...portion.filter((_, at) => isLost.has(at + 1)));
      }
      return lost;
    },
    release: async ({ id, holder }, dueInMs) => void (await run(release, [id, holder, dueInMs])),
    holderOf: async (id) => (await connections.run((redis) => redis.hget(holders, id))) ?? undefined,
    async leaseOf(id) {
      const lease = heldUntil.parse(await run(leaseOf, [id]));
      if (lease.length === 0) return undefined;
      const [holder, version, lastsMs] = lease;
      return { id, holder, version, lastsMs };
    },
    revoke: async ({ id, holder, version }, dueInMs) => (await run(revoke, [id, holder, version, dueInMs])) === 1,
    take: async ({ limit, leaseMs, lane }) =>
      ids.parse(await run(take, [leaseMs, limit, lane === undefined ? "" : `:${lane}`])),
    async forget(id) {
      await connections.run((redis) => Promise.all([redis.zrem(due, id), redis.hdel(holders, id)]));
    },
    async put(id, { facts, body = "", group }, dueInMs) {
      await run(put, [id, dueInMs, facts, body], inGroup(id, group));
    },
    hasten: async (id, dueInMs) => void (await run(hasten, [id, dueInMs], [piece(id)])),
    async begin(id) {
      const answer = begun.parse(await run(begin, [id], inGroup(id, undefined)));
      if (answer.length === 0) return undefined;
      const [facts, body, attempt] = answer;
      return { facts, body: body === "" ? undefined : body, attempt };
    },
    keepBody: async ({ id, holder }, body) => (await run(keepBody, [id, holder, body], [piece(id)])) === 1,
    finish: async ({ id, holder, group }) => void (await run(finish, [id, holder], inGroup(id, group))),
    waiting: async (limit) => whatWaits.parse(await run(waiting, [limit], [since])),
    withdraw: (group, isMeant) =>
      connections.run(async (redis) => {
        const open = await redis.smembers(groupOf(group));
        const known = await Promise.all(open.map((id) => redis.hget(piece(id), "facts")));
        const meant = open.filter((_, at) => isMeant(known[at] ?? undefined));
        if (meant.length === 0) return;
        await Promise.all([
          redis.del(...meant.map(piece)),
          redis.srem(groupOf(group), ...meant),
          redis.zrem(due, ...meant),
          redis.hdel(holders, ...meant),
          redis.zrem(since, ...meant),
        ]);
      }),
  };
}

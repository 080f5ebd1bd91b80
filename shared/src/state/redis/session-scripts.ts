/**
 * Changes to a session that must be atomic. Keys, always in this order: record, turns, metrics, appends, agents,
 * scenarios, tombstone, flight log; all are in one slot. Arguments begin with the life spans of the session and the
 * tombstone.
 */
import { applyPatch } from "./hash-record.ts";
import { defineScript } from "./script.ts";

/** All keys of a session expire together, and its tombstone later. */
const renew = `
local function renew()
  for i = 1, 6 do redis.call('PEXPIRE', KEYS[i], ARGV[1]) end
  redis.call('SET', KEYS[7], '1', 'PX', ARGV[2])
end
`;

/** Tells why a session is not there: 'expired' or 'unknown'. */
const absent = `
local function absent()
  if redis.call('EXISTS', KEYS[7]) == 1 then return 'expired' end
  return 'unknown'
end
`;

/** ARGV from 3: field, value, … The agents and scenarios may have been created before the session. */
export const createSession = defineScript(`
${renew}
if redis.call('EXISTS', KEYS[1]) == 1 then return 'conflict' end
redis.call('DEL', KEYS[2], KEYS[3], KEYS[4])
redis.call('HSET', KEYS[1], unpack(ARGV, 3))
renew()
return 'created'
`);

/** ARGV from 3: expected version, time of the write, the patch. Returns the new record, or why there is none. */
export const updateSession = defineScript(`
${renew} ${absent} ${applyPatch}
local version = redis.call('HGET', KEYS[1], 'version')
if not version then return absent() end
if version ~= ARGV[3] then return 'conflict' end
apply(KEYS[1], 5)
redis.call('HSET', KEYS[1], 'version', version + 1, 'lastActivityAtMs', ARGV[4])
renew()
return redis.call('HGETALL', KEYS[1])
`);

/** How many of the latest append ids are remembered; a duplicate follows its original closely. */
const rememberedAppends = 64;

/** Adds to the sums that a field of a hash holds as JSON: an object of objects of numbers. */
const addToField = `
local function addToField(key, field, added)
  local sums = cjson.decode(redis.call('HGET', key, field) or '{}')
  for name, amounts in pairs(cjson.decode(added)) do
    sums[name] = sums[name] or {}
    for unit, amount in pairs(amounts) do sums[name][unit] = (sums[name][unit] or 0) + amount end
  end
  redis.call('HSET', key, field, cjson.encode(sums))
end
`;

/** ARGV from 3: time of the write, append id, metrics or '', turn count or '', usage or '', items. */
export const appendTurn = defineScript(`
${renew} ${absent} ${addToField}
if redis.call('EXISTS', KEYS[1]) == 0 then return absent() end
if redis.call('LPOS', KEYS[4], ARGV[4]) then return 'repeated' end
redis.call('LPUSH', KEYS[4], ARGV[4])
redis.call('LTRIM', KEYS[4], 0, ${rememberedAppends - 1})
for i = 8, #ARGV do redis.call('RPUSH', KEYS[2], ARGV[i]) end
if ARGV[5] ~= '' then redis.call('RPUSH', KEYS[3], ARGV[5]) end
if ARGV[6] ~= '' then redis.call('HSET', KEYS[1], 'turnCount', ARGV[6]) end
if ARGV[7] ~= '' then addToField(KEYS[1], 'usage', ARGV[7]) end
redis.call('HSET', KEYS[1], 'lastActivityAtMs', ARGV[3])
renew()
return 'appended'
`);

export const deleteSession = defineScript(`
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[8])
redis.call('SET', KEYS[7], '1', 'PX', ARGV[2])
return 1
`);

/**
 * Changes to a session that must be atomic. Keys, always in this order: record, turns, metrics, appends, agents,
 * scenarios, tombstone, and its four logs; all are in one slot. Arguments begin with the life span that the session has at least, the one
 * that it is given when it has less, and that of the tombstone.
 */
import { applyPatch } from "./hash-record.ts";
import { defineScript } from "./script.ts";

/** All keys of a session expire together, and its tombstone later. Returns whether there was one. */
const renew = `
local function renew()
  for _, i in ipairs({ 1, 2, 3, 4, 5, 6, 8, 9, 10, 11 }) do redis.call('PEXPIRE', KEYS[i], ARGV[2]) end
  return redis.call('SET', KEYS[7], '1', 'PX', ARGV[3], 'GET')
end
`;

/** Tells why a session is not there: 'expired' or 'unknown'. */
const absent = `
local function absent()
  if redis.call('EXISTS', KEYS[7]) == 1 then return 'expired' end
  return 'unknown'
end
`;

/**
 * ARGV from 4: field, value, … The agents and scenarios may have been created before the session. 'again': there was a session of
 * this id before.
 */
export const createSession = defineScript(`
${renew}
if redis.call('EXISTS', KEYS[1]) == 1 then return 'conflict' end
redis.call('DEL', KEYS[2], KEYS[3], KEYS[4], KEYS[8], KEYS[9], KEYS[10], KEYS[11])
redis.call('HSET', KEYS[1], unpack(ARGV, 4))
return renew() and 'again' or 'created'
`);

/**
 * ARGV from 4: expected version, time of the write, the patch. Returns the new record, and the channel and status that it had
 * before; or why there is none.
 */
export const updateSession = defineScript(`
${renew} ${absent} ${applyPatch}
local version, channel, status = unpack(redis.call('HMGET', KEYS[1], 'version', 'channel', 'status'))
if not version then return absent() end
if version ~= ARGV[4] then return 'conflict' end
apply(KEYS[1], 6, 'version', version + 1, 'lastActivityAtMs', ARGV[5])
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[1]) then renew() end
return { redis.call('HGETALL', KEYS[1]), channel, status }
`);

/** For a session that nobody may have written to for long. */
export const keepSession = defineScript(`
${renew}
local left = redis.call('PTTL', KEYS[1])
if left >= 0 and left < tonumber(ARGV[1]) then renew() end
return 1
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

/**
 * ARGV from 4: time of the write, append id, metrics or '', turn count or '', usage or '', creation of the session or '', when the
 * writer took it or '', items. A list that did not exist before has no end yet. 'expired': a later session has the id now. 'late':
 * another host has taken it since. A mark is put into the items' text, because cjson cannot tell an empty list from an empty object.
 */
export const appendTurn = defineScript(`
${renew} ${absent} ${addToField}
local left = redis.call('PTTL', KEYS[1])
if left == -2 then return absent() end
if ARGV[9] ~= '' and tonumber(redis.call('HGET', KEYS[1], 'createdAtMs')) > tonumber(ARGV[9]) then return 'expired' end
local late = ARGV[10] ~= '' and tonumber(redis.call('HGET', KEYS[1], 'claimedAtMs') or 0) > tonumber(ARGV[10])
local outcome = late and 'late' or 'appended'
if redis.call('LPOS', KEYS[4], ARGV[5]) then return outcome end
if late then
  for i = 11, #ARGV do ARGV[i] = '{"late":true,' .. string.sub(ARGV[i], 2) end
end
local isNew = false
local function push(command, key, first, last)
  if last < first then return 0 end
  local length = redis.call(command, key, unpack(ARGV, first, last))
  if length == last - first + 1 then isNew = true end
  return length
end
if push('LPUSH', KEYS[4], 5, 5) > ${rememberedAppends} then redis.call('LTRIM', KEYS[4], 0, ${rememberedAppends - 1}) end
push('RPUSH', KEYS[2], 11, #ARGV)
if ARGV[6] ~= '' then push('RPUSH', KEYS[3], 6, 6) end
if ARGV[8] ~= '' then addToField(KEYS[1], 'usage', ARGV[8]) end
if late or ARGV[7] == '' then redis.call('HSET', KEYS[1], 'lastActivityAtMs', ARGV[4])
else redis.call('HSET', KEYS[1], 'lastActivityAtMs', ARGV[4], 'turnCount', ARGV[7]) end
if isNew or left < tonumber(ARGV[1]) then renew() end
return outcome
`);

/** Whatever is there of it: what belongs to a session may outlive its record by up to an hour, or have come before it. */
export const deleteSession = defineScript(`
if redis.call('DEL', KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[8], KEYS[9], KEYS[10], KEYS[11]) == 0 then return 0 end
redis.call('SET', KEYS[7], '1', 'PX', ARGV[3])
return 1
`);

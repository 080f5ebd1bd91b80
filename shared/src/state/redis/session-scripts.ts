/**
 * Changes to a session that must be atomic. Keys, always in this order: record, turns, metrics, agents, scenarios, tombstone, and its four
 * logs; all are in one slot. Arguments begin with the life span that the session has at least, the one that it is given when it has less,
 * that of the tombstone, and the time of the write. The record's field `renewedAtMs` says when it was given one, so that a write need not ask.
 */
import { applyPatch } from "./hash-record.ts";
import { defineScript } from "./script.ts";

/** All keys of a session expire together, and its tombstone later. Returns whether there was one. */
const renew = `
local function renew()
  redis.call('HSET', KEYS[1], 'renewedAtMs', ARGV[4])
  for _, i in ipairs({ 1, 2, 3, 4, 5, 7, 8, 9, 10 }) do redis.call('PEXPIRE', KEYS[i], ARGV[2]) end
  return redis.call('SET', KEYS[6], '1', 'PX', ARGV[3], 'GET')
end
local function isDue(renewedAtMs)
  return not renewedAtMs or math.abs(ARGV[4] - renewedAtMs) > ARGV[2] - ARGV[1]
end
`;

/** Tells why a session is not there: 'expired' or 'unknown'. */
const absent = `
local function absent()
  if redis.call('EXISTS', KEYS[6]) == 1 then return 'expired' end
  return 'unknown'
end
`;

/**
 * ARGV from 5: field, value, … The agents and scenarios may have been created before the session. 'again': there was a session of
 * this id before.
 */
export const createSession = defineScript(`
${renew}
if redis.call('EXISTS', KEYS[1]) == 1 then return 'conflict' end
redis.call('DEL', KEYS[2], KEYS[3], KEYS[7], KEYS[8], KEYS[9], KEYS[10])
redis.call('HSET', KEYS[1], unpack(ARGV, 5))
return renew() and 'again' or 'created'
`);

/**
 * ARGV from 5: expected version, the patch. Returns the new record, and the channel and status that it had
 * before; or why there is none.
 */
export const updateSession = defineScript(`
${renew} ${absent} ${applyPatch}
local version, channel, status, renewedAtMs =
  unpack(redis.call('HMGET', KEYS[1], 'version', 'channel', 'status', 'renewedAtMs'))
if not version then return absent() end
if version ~= ARGV[5] then return 'conflict' end
apply(KEYS[1], 6, 'version', version + 1, 'lastActivityAtMs', ARGV[4])
if isDue(renewedAtMs) then renew() end
return { redis.call('HGETALL', KEYS[1]), channel, status }
`);

/** Renews the keys of a session that may not have been written to for a long time. */
export const keepSession = defineScript(`
${renew}
local left = redis.call('PTTL', KEYS[1])
if left >= 0 and left < tonumber(ARGV[1]) then renew() end
return 1
`);

/**
 * How many of the latest append ids are remembered, in the record's field `appends`. A duplicate follows its original: a conversation
 * writes one at a time, and repeats only what it had no answer to.
 */
const rememberedAppends = 8;

/** Lua: adds to sums that are JSON, an object of objects of numbers. */
const addTo = `
local function addTo(text, added)
  local sums = cjson.decode(text or '{}')
  for name, amounts in pairs(cjson.decode(added)) do
    sums[name] = sums[name] or {}
    for unit, amount in pairs(amounts) do sums[name][unit] = (sums[name][unit] or 0) + amount end
  end
  return cjson.encode(sums)
end
`;

/**
 * ARGV from 5: append id, metrics or '', turn count or '', usage or '', creation of the session or '', when the writer took it or '', what
 * watchers were sent or '', how many pieces of that are kept, items. A list that did not exist before has no end yet. 'expired': a later
 * session has the id now. 'late': another host has taken it since. A mark is put into the items' text, because cjson cannot tell an empty
 * list from an empty object.
 */
export const appendTurn = defineScript(`
${renew} ${absent} ${addTo}
local createdAtMs, claimedAtMs, renewedAtMs, appends, usage =
  unpack(redis.call('HMGET', KEYS[1], 'createdAtMs', 'claimedAtMs', 'renewedAtMs', 'appends', 'usage'))
if not createdAtMs then return absent() end
if ARGV[9] ~= '' and tonumber(createdAtMs) > tonumber(ARGV[9]) then return 'expired' end
local late = ARGV[10] ~= '' and tonumber(claimedAtMs or 0) > tonumber(ARGV[10])
local outcome = late and 'late' or 'appended'
local latest = { ARGV[5] }
for i, id in ipairs(cjson.decode(appends or '[]')) do
  if id == ARGV[5] then return outcome end
  if i < ${rememberedAppends} then latest[i + 1] = id end
end
if late then
  for i = 13, #ARGV do ARGV[i] = '{"late":true,' .. string.sub(ARGV[i], 2) end
end
local isNew = false
local function push(key, first, last)
  if last < first then return 0 end
  local length = redis.call('RPUSH', key, unpack(ARGV, first, last))
  if length == last - first + 1 then isNew = true end
  return length
end
push(KEYS[2], 13, #ARGV)
if ARGV[6] ~= '' then push(KEYS[3], 6, 6) end
if ARGV[11] ~= '' and push(KEYS[8], 11, 11) > tonumber(ARGV[12]) then redis.call('LTRIM', KEYS[8], -ARGV[12], -1) end
local set = { 'lastActivityAtMs', ARGV[4], 'appends', cjson.encode(latest) }
local function put(field, value)
  set[#set + 1] = field
  set[#set + 1] = value
end
if ARGV[8] ~= '' then put('usage', addTo(usage, ARGV[8])) end
if not late and ARGV[7] ~= '' then put('turnCount', ARGV[7]) end
redis.call('HSET', KEYS[1], unpack(set))
if isNew or isDue(renewedAtMs) then renew() end
return outcome
`);

/** Whatever is there of it: what belongs to a session may outlive its record by up to an hour, or have come before it. */
export const deleteSession = defineScript(`
if redis.call('DEL', KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[7], KEYS[8], KEYS[9], KEYS[10]) == 0 then return 0 end
redis.call('SET', KEYS[6], '1', 'PX', ARGV[3])
return 1
`);

/**
 * Changes to a call that must be atomic: its record and the indexes that list it. Keys begin with the indexes and the
 * record, and may end with the key by connection; all are in one slot. Arguments begin with the call id, its creation time, the
 * remainder of its life span, the life span of an index, the creation time before which calls have expired, and 1 if the
 * indexes are to be tidied.
 */
import { namedFailures } from "../../contracts/calls/call-outcome.ts";
import { callIndexes } from "../ports/call-index.ts";
import { applyPatch } from "./hash-record.ts";
import { indexEntries } from "./index-upkeep.ts";
import { defineScript } from "./script.ts";

const record = `KEYS[${callIndexes.length + 1}]`;
const firstOfOthers = callIndexes.length + 2;

/** Lua: a value as it is in the hash, which is JSON. */
const stored = (value: string | undefined): string => (value === undefined ? "false" : `'"${value}"'`);

/**
 * Lua: `callOutcomeOf`, and which index has the calls of which direction, status and outcome (`false`: any). The record's field
 * `listed` says where the call was listed last, so that a change touches only the indexes that the call enters or leaves. If the
 * record disagrees, a host of an older version has changed it, and the call is removed from every index that it does not belong to.
 */
const indexes = `
${indexEntries}
local indexes = { ${callIndexes
  .map(({ direction, status, outcome }) => `{ ${stored(direction)}, ${stored(status)}, ${stored(outcome)} }`)
  .join(", ")} }
local named = { ${namedFailures.map((code) => `[${stored(code)}] = true`).join(", ")} }
local function standing(direction, status, failure)
  local outcome = '"in_progress"'
  if status == '"failed"' or status == '"disconnected"' then
    outcome = '"completed"'
    if status == '"failed"' or failure then outcome = '"failed"' end
    if failure and named[failure] then outcome = failure end
  end
  return { direction, status, outcome }
end
local function asJson(standing) return '[' .. table.concat(standing, ',') .. ']' end
local function belongs(index, standing)
  for what = 1, 3 do
    if index[what] and index[what] ~= standing[what] then return false end
  end
  return true
end
local function move(isIn, isOut, standing)
  local entered = {}
  for i, index in ipairs(indexes) do
    if belongs(index, standing) then
      if not isIn(index) then entered[#entered + 1] = KEYS[i] end
    elseif not isOut(index) then redis.call('ZREM', KEYS[i], ARGV[1]) end
  end
  enter(entered, ARGV[2], ARGV[1], ARGV[4])
end
local function yes() return true end
local function no() return false end
if ARGV[6] == '1' then tidy({ unpack(KEYS, 1, #indexes) }, ARGV[5], ARGV[4]) end
`;

/**
 * KEYS after the record: as many lists of parties as ARGV 7 says, and the key by connection. ARGV from 8: direction, status,
 * failure code or '', each as it is in the record, then field, value, …
 */
export const createCall = defineScript(`
${indexes}
if redis.call('EXISTS', ${record}) == 1 then return 'conflict' end
local created = standing(ARGV[8], ARGV[9], ARGV[10] ~= '' and ARGV[10])
redis.call('HSET', ${record}, 'listed', asJson(created), unpack(ARGV, 11))
redis.call('PEXPIRE', ${record}, ARGV[3])
move(no, yes, created)
local last = ${firstOfOthers - 1} + ARGV[7]
for i = ${firstOfOthers}, last do
  redis.call('ZADD', KEYS[i], ARGV[2], ARGV[1])
  tidy({ KEYS[i] }, ARGV[5], ARGV[4])
end
if KEYS[last + 1] then redis.call('SET', KEYS[last + 1], ARGV[1], 'PX', ARGV[3]) end
return 'created'
`);

/** ARGV from 7: expected version, the patch. The times in ARGV 2 and 3 are ignored, because the record holds them. */
export const updateCall = defineScript(`
${indexes} ${applyPatch}
local facts = redis.call('HMGET', ${record}, 'version', 'createdAtMs', 'listed', 'direction', 'status', 'failureCode')
if not facts[1] then return 'absent' end
if facts[1] ~= ARGV[7] then return 'conflict' end
ARGV[2] = facts[2]
local before = standing(facts[4], facts[5], facts[6])
apply(${record}, 8, 'version', facts[1] + 1)
local connection = KEYS[${firstOfOthers}]
if connection then redis.call('SET', connection, ARGV[1], 'PX', redis.call('PTTL', ${record})) end
local after = standing(unpack(redis.call('HMGET', ${record}, 'direction', 'status', 'failureCode')))
local isListed = facts[3] == asJson(before)
if not isListed then move(no, no, after)
elseif facts[3] ~= asJson(after) then
  move(function(index) return belongs(index, before) end, function(index) return not belongs(index, before) end, after)
end
if facts[3] ~= asJson(after) then redis.call('HSET', ${record}, 'listed', asJson(after)) end
return redis.call('HGETALL', ${record})
`);

/**
 * KEYS: record, log, event ids. ARGV: event id, entry, entries kept, ids kept. The log and the ids live as long as the record, whose
 * end is never moved.
 */
export const appendCallEvent = defineScript(`
if redis.call('EXISTS', KEYS[1]) == 0 then return 'absent' end
local sequence = redis.call('HINCRBY', KEYS[1], 'logged', 1)
if redis.call('ZADD', KEYS[3], 'NX', sequence, ARGV[1]) == 0 then return 'repeated' end
local entries = redis.call('RPUSH', KEYS[2], ARGV[2])
if entries > tonumber(ARGV[3]) then redis.call('LTRIM', KEYS[2], -ARGV[3], -1) end
if sequence > tonumber(ARGV[4]) then redis.call('ZREMRANGEBYRANK', KEYS[3], 0, -ARGV[4] - 1) end
if entries == 1 or redis.call('PTTL', KEYS[3]) < 0 then
  local ttl = redis.call('PTTL', KEYS[1])
  redis.call('PEXPIRE', KEYS[2], ttl)
  redis.call('PEXPIRE', KEYS[3], ttl)
end
return 'appended'
`);

/**
 * Changes to a call that must be atomic: its record and the indexes that list it. Keys begin with the indexes and the
 * record, and may end with the key by connection; all are in one slot. Arguments begin with the call id, its creation time, the
 * remainder of its life span, the life span of an index, the creation time before which calls have expired, and 1 if the
 * indexes are to be tidied.
 */
import { namedFailures } from "../../contracts/calls/call-outcome.ts";
import { callIndexes } from "../ports/call-index.ts";
import { applyPatch, patchFields } from "./hash-record.ts";
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
local function move(isIn, isOut, standing, others)
  local entered = { unpack(others) }
  local volatile = 0
  for i, index in ipairs(indexes) do
    if belongs(index, standing) then
      if not isIn(index) then
        if index[2] then volatile = volatile + 1 end
        table.insert(entered, index[2] and 1 or #entered + 1, KEYS[i])
      end
    elseif not isOut(index) then redis.call('ZREM', KEYS[i], ARGV[1]) end
  end
  enter(entered, ARGV[2], ARGV[1], ARGV[4], volatile)
end
local function yes() return true end
local function no() return false end
if ARGV[6] == '1' then tidy({ unpack(KEYS, 1, #indexes) }, ARGV[5], ARGV[4]) end
`;

/** One in so many calls tidies the list of its number: the lists are many, and each grows slowly. */
const callsToTidy = 16;

/**
 * KEYS after the record: as many lists as ARGV 7 says that have many calls, as many others as ARGV 8 says, and the key by connection.
 * ARGV from 9: 1 if the lists with many calls are to be tidied; direction, status, failure code or '', each as it is in the record; then
 * field, value, …
 */
export const createCall = defineScript(`
${indexes}
if redis.call('EXISTS', ${record}) == 1 then return 'conflict' end
local created = standing(ARGV[10], ARGV[11], ARGV[12] ~= '' and ARGV[12])
redis.call('HSET', ${record}, 'listed', asJson(created), 'logged', 1, unpack(ARGV, 13))
redis.call('PEXPIRE', ${record}, ARGV[3])
local busy = ${firstOfOthers - 1} + ARGV[7]
local last = busy + ARGV[8]
local busyLists = { unpack(KEYS, ${firstOfOthers}, busy) }
if ARGV[9] == '1' then tidy(busyLists, ARGV[5], ARGV[4]) end
move(no, yes, created, busyLists)
for i = busy + 1, last do
  redis.call('ZADD', KEYS[i], ARGV[2], ARGV[1])
  redis.call('PEXPIRE', KEYS[i], ARGV[4])
  if ARGV[2] % ${callsToTidy} == 0 then redis.call('ZREMRANGEBYSCORE', KEYS[i], '-inf', ARGV[5]) end
end
if KEYS[last + 1] then redis.call('SET', KEYS[last + 1], ARGV[1], 'PX', ARGV[3]) end
return 'created'
`);

/** ARGV from 7: expected version, the patch. The times in ARGV 2 and 3 are ignored, because the record holds them. */
export const updateCall = defineScript(`
${indexes} ${applyPatch} ${patchFields}
local fields = {}
local flat = redis.call('HGETALL', ${record})
for i = 1, #flat, 2 do fields[flat[i]] = flat[i + 1] end
if not fields.version then return 'absent' end
if fields.version ~= ARGV[7] then return 'conflict' end
ARGV[2] = fields.createdAtMs
local before = standing(fields.direction, fields.status, fields.failureCode)
local isListed = fields.listed == asJson(before)
patchFields(fields, 8)
local after = standing(fields.direction, fields.status, fields.failureCode)
fields.version = string.format('%.0f', fields.version + 1)
fields.listed = asJson(after)
apply(${record}, 8, 'version', fields.version, 'listed', fields.listed)
local connection = KEYS[${firstOfOthers}]
if connection then redis.call('SET', connection, ARGV[1], 'PX', redis.call('PTTL', ${record})) end
if not isListed then move(no, no, after, {})
elseif asJson(before) ~= asJson(after) then
  move(function(index) return belongs(index, before) end, function(index) return not belongs(index, before) end, after, {})
end
local reply = {}
for field, value in pairs(fields) do
  reply[#reply + 1] = field
  reply[#reply + 1] = value
end
return reply
`);

/**
 * KEYS: record, log, event ids. ARGV: event id, entry, entries kept, ids kept, life span. The record counts its events from when it was
 * created, so a count that begins here is of no call, or of one of an older version.
 */
export const appendCallEvent = defineScript(`
local sequence = redis.call('HINCRBY', KEYS[1], 'logged', 1)
if sequence == 1 and redis.call('HEXISTS', KEYS[1], 'version') == 0 then
  redis.call('DEL', KEYS[1])
  return 'absent'
end
if redis.call('ZADD', KEYS[3], 'NX', sequence, ARGV[1]) == 0 then return 'repeated' end
local entries = redis.call('RPUSH', KEYS[2], ARGV[2])
if entries > tonumber(ARGV[3]) then redis.call('LTRIM', KEYS[2], -ARGV[3], -1) end
if sequence > tonumber(ARGV[4]) then redis.call('ZREMRANGEBYRANK', KEYS[3], 0, -ARGV[4] - 1) end
if entries == 1 then
  redis.call('PEXPIRE', KEYS[2], ARGV[5])
  redis.call('PEXPIRE', KEYS[3], ARGV[5])
end
return 'appended'
`);

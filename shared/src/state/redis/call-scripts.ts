/**
 * Changes to a call that must be atomic: its record and the indexes that list it. Keys begin with the indexes and the
 * record; all are in one slot. Arguments begin with the call id, its creation time, the remainder of its life span, the
 * life span of an index, and the creation time before which calls have expired.
 */
import { namedFailures } from "../../contracts/calls/call-outcome.ts";
import { callIndexes } from "../ports/call-index.ts";
import { applyPatch } from "./hash-record.ts";
import { defineScript } from "./script.ts";

const record = `KEYS[${callIndexes.length + 1}]`;
const connection = `KEYS[${callIndexes.length + 2}]`;

/** Lua: a value as it is in the hash, which is JSON. */
const stored = (value: string | undefined): string => (value === undefined ? "false" : `'"${value}"'`);

/**
 * Lua: `callOutcomeOf`, and which index has the calls of which direction, status and outcome (`false`: any). A call is
 * removed from every index that it does not belong to, so that one which a host of an older version has changed is in
 * its place again after its next change.
 */
const indexes = `
local indexes = { ${callIndexes
  .map(({ direction, status, outcome }) => `{ ${stored(direction)}, ${stored(status)}, ${stored(outcome)} }`)
  .join(", ")} }
local named = { ${namedFailures.map((code) => `[${stored(code)}] = true`).join(", ")} }
local function standing()
  local direction, status, failure = unpack(redis.call('HMGET', ${record}, 'direction', 'status', 'failureCode'))
  local outcome = '"in_progress"'
  if status == '"failed"' or status == '"disconnected"' then
    outcome = '"completed"'
    if status == '"failed"' or failure then outcome = '"failed"' end
    if failure and named[failure] then outcome = failure end
  end
  return { direction, status, outcome }
end
local function enterIndexes(call)
  for i, index in ipairs(indexes) do
    local belongs = true
    for what = 1, 3 do
      if index[what] and index[what] ~= call[what] then belongs = false end
    end
    if belongs then
      redis.call('ZREMRANGEBYSCORE', KEYS[i], '-inf', ARGV[5])
      redis.call('ZADD', KEYS[i], ARGV[2], ARGV[1])
      redis.call('PEXPIRE', KEYS[i], ARGV[4])
    else
      redis.call('ZREM', KEYS[i], ARGV[1])
    end
  end
end
local function connect()
  if ${connection} then redis.call('SET', ${connection}, ARGV[1], 'PX', ARGV[3]) end
end
`;

/** ARGV from 6: field, value, … The key by connection is optional. */
export const createCall = defineScript(`
${indexes}
if redis.call('EXISTS', ${record}) == 1 then return 'conflict' end
redis.call('HSET', ${record}, unpack(ARGV, 6))
redis.call('PEXPIRE', ${record}, ARGV[3])
connect()
enterIndexes(standing())
return 'created'
`);

/** ARGV from 6: expected version, the patch. The times in ARGV 2 and 3 are ignored, because the record holds them. */
export const updateCall = defineScript(`
${indexes} ${applyPatch}
local version = redis.call('HGET', ${record}, 'version')
if not version then return 'absent' end
if version ~= ARGV[6] then return 'conflict' end
local before = table.concat(standing())
apply(${record}, 7)
redis.call('HSET', ${record}, 'version', version + 1)
ARGV[2] = redis.call('HGET', ${record}, 'createdAtMs')
ARGV[3] = redis.call('PTTL', ${record})
connect()
local after = standing()
if before ~= table.concat(after) then enterIndexes(after) end
return redis.call('HGETALL', ${record})
`);

/** KEYS: record, log, event ids. ARGV: event id, entry, entries kept, ids kept. */
export const appendCallEvent = defineScript(`
local ttl = redis.call('PTTL', KEYS[1])
if ttl < 0 then return 'absent' end
local sequence = redis.call('HINCRBY', KEYS[1], 'logged', 1)
if redis.call('ZADD', KEYS[3], 'NX', sequence, ARGV[1]) == 0 then return 'repeated' end
redis.call('RPUSH', KEYS[2], ARGV[2])
redis.call('LTRIM', KEYS[2], -ARGV[3], -1)
redis.call('ZREMRANGEBYRANK', KEYS[3], 0, -ARGV[4] - 1)
redis.call('PEXPIRE', KEYS[2], ttl)
redis.call('PEXPIRE', KEYS[3], ttl)
return 'appended'
`);

/**
 * Changes to a call that must be atomic: its record and the indexes that list it. Keys begin with the index by creation
 * time, the index of each status, and the record; all are in one slot. Arguments begin with the call id, its creation
 * time, the remainder of its life span, the life span of an index, and the creation time before which calls have
 * expired.
 */
import { callStatuses } from "../../contracts/calls/call-status.ts";
import { applyPatch } from "./hash-record.ts";
import { defineScript } from "./script.ts";

const record = `KEYS[${callStatuses.length + 2}]`;
const connection = `KEYS[${callStatuses.length + 3}]`;

/** Lua: the index for a status. Values in the hash are JSON, so a status is in quotes. */
const statusKeys = `
local statusKeys = { ${callStatuses.map((status, index) => `['"${status}"'] = KEYS[${index + 2}]`).join(", ")} }
local function enter(index)
  redis.call('ZREMRANGEBYSCORE', index, '-inf', ARGV[5])
  redis.call('ZADD', index, ARGV[2], ARGV[1])
  redis.call('PEXPIRE', index, ARGV[4])
end
local function connect()
  if ${connection} then redis.call('SET', ${connection}, ARGV[1], 'PX', ARGV[3]) end
end
`;

/** ARGV from 6: field, value, … The key by connection is optional. */
export const createCall = defineScript(`
${statusKeys}
if redis.call('EXISTS', ${record}) == 1 then return 'conflict' end
redis.call('HSET', ${record}, unpack(ARGV, 6))
redis.call('PEXPIRE', ${record}, ARGV[3])
connect()
enter(KEYS[1])
enter(statusKeys[redis.call('HGET', ${record}, 'status')])
return 'created'
`);

/** ARGV from 6: expected version, the patch. The times in ARGV 2 and 3 are ignored, because the record holds them. */
export const updateCall = defineScript(`
${statusKeys} ${applyPatch}
local version = redis.call('HGET', ${record}, 'version')
if not version then return 'absent' end
if version ~= ARGV[6] then return 'conflict' end
local before = redis.call('HGET', ${record}, 'status')
apply(${record}, 7)
redis.call('HSET', ${record}, 'version', version + 1)
ARGV[2] = redis.call('HGET', ${record}, 'createdAtMs')
ARGV[3] = redis.call('PTTL', ${record})
connect()
local after = redis.call('HGET', ${record}, 'status')
if before ~= after then
  redis.call('ZREM', statusKeys[before], ARGV[1])
  enter(statusKeys[after])
end
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

/** Changes to a conversation's row that must be atomic. All keys are in one slot. */
import { defineScript } from "./script.ts";

/**
 * KEYS: the row, the rows by the time at which they end, the labels, and the facets that are entered or left. ARGV: revision, row, places,
 * session id, when it began, when it ends, life span of an index, the time of the entries to drop or '', the number of facets, for each of
 * them 1 if it is entered, the number of labels that are added, these labels, and those that are removed. Returns the row that was there,
 * '' if there was none, and nil if that is newer.
 */
export const putRow = defineScript(`
local before = redis.call('HMGET', KEYS[1], 'revision', 'row')
if before[1] and tonumber(before[1]) > tonumber(ARGV[1]) then return nil end
redis.call('HSET', KEYS[1], 'revision', ARGV[1], 'row', ARGV[2], 'places', ARGV[3], 'endsAtMs', ARGV[6])
redis.call('PEXPIRE', KEYS[1], ARGV[7])
redis.call('ZADD', KEYS[2], ARGV[6], ARGV[4])
redis.call('PEXPIRE', KEYS[2], ARGV[7])
local facets = tonumber(ARGV[9])
for i = 1, facets do
  local key = KEYS[3 + i]
  if ARGV[9 + i] == '1' then
    redis.call('ZADD', key, ARGV[5], ARGV[4])
    redis.call('PEXPIRE', key, ARGV[7])
    if ARGV[8] ~= '' then redis.call('ZREMRANGEBYSCORE', key, '-inf', ARGV[8]) end
  else redis.call('ZREM', key, ARGV[4]) end
end
local first = 11 + facets
local added = tonumber(ARGV[first - 1])
for i = first, first + added - 1 do redis.call('ZADD', KEYS[3], 0, ARGV[i]) end
for i = first + added, #ARGV do redis.call('ZREM', KEYS[3], ARGV[i]) end
if added > 0 then redis.call('PEXPIRE', KEYS[3], ARGV[7]) end
return before[2] or ''
`);

/** KEYS: the row, the rows by the time at which they end. ARGV: session id, when it ends, life span of an index. */
export const keepRow = defineScript(`
local endsAtMs = redis.call('HGET', KEYS[1], 'endsAtMs')
if not endsAtMs or tonumber(endsAtMs) >= tonumber(ARGV[2]) then return 0 end
redis.call('HSET', KEYS[1], 'endsAtMs', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
redis.call('ZADD', KEYS[2], 'XX', ARGV[2], ARGV[1])
redis.call('PEXPIRE', KEYS[2], ARGV[3])
return 1
`);

/** Changes to an event that must be atomic. All keys of the bus are in one slot. */
import { defineScript, serverNow } from "./script.ts";

/** KEYS: published marker, stream. ARGV: event, life span, maximum number of entries. */
export const publishEvent = defineScript(`
if not redis.call('SET', KEYS[1], '1', 'NX', 'PX', ARGV[2]) then return 0 end
redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[3], '*', 'event', ARGV[1])
redis.call('PEXPIRE', KEYS[2], ARGV[2])
return 1
`);

/**
 * KEYS: stream. ARGV: group, life span. The group starts at the first entry, so that it also handles events published
 * before any consumer existed. Returns 1 if there was none.
 */
export const ensureGroup = defineScript(`
local created = redis.pcall('XGROUP', 'CREATE', KEYS[1], ARGV[1], '0', 'MKSTREAM')
if created.err and not string.find(created.err, 'BUSYGROUP') then return created end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return created.err and 0 or 1
`);

/**
 * KEYS: work. ARGV: maximum attempts, life span. Returns `done`, `begun` and the attempt's number, or `exhausted`, how many there were
 * and the reason to give up.
 */
export const beginEvent = defineScript(`
local done, before, reason = unpack(redis.call('HMGET', KEYS[1], 'done', 'attempts', 'reason'))
if done then return { 'done' } end
local attempts = tonumber(before or '0')
if attempts >= tonumber(ARGV[1]) then
  return { 'exhausted', tostring(attempts), reason or 'its consumers died while handling it' }
end
redis.call('HSET', KEYS[1], 'attempts', attempts + 1)
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return { 'begun', tostring(attempts + 1) }
`);

/** KEYS: work. ARGV: reason, life span. */
export const failEvent = defineScript(`
redis.call('HSET', KEYS[1], 'reason', ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
`);

/** KEYS: work, stream. ARGV: group, entry, life span. The entry is deleted, because a callback names the people of a call. */
export const finishEvent = defineScript(`
redis.call('HSET', KEYS[1], 'done', '1')
redis.call('PEXPIRE', KEYS[1], ARGV[3])
redis.call('XACK', KEYS[2], ARGV[1], ARGV[2])
redis.call('XDEL', KEYS[2], ARGV[2])
return 1
`);

/**
 * KEYS: work, stream, dead letters. ARGV: group, entry, life span, maximum number of dead letters, then field, value, …
 */
export const deadLetterEvent = defineScript(`
redis.call('XADD', KEYS[3], 'MAXLEN', '~', ARGV[4], '*', unpack(ARGV, 5))
redis.call('PEXPIRE', KEYS[3], ARGV[3])
redis.call('HSET', KEYS[1], 'done', '1')
redis.call('PEXPIRE', KEYS[1], ARGV[3])
redis.call('XACK', KEYS[2], ARGV[1], ARGV[2])
redis.call('XDEL', KEYS[2], ARGV[2])
return 1
`);

/** KEYS: stream or dead letters. ARGV: group, entries. */
export const withdrawEvents = defineScript(`
redis.call('XACK', KEYS[1], ARGV[1], unpack(ARGV, 2))
return redis.call('XDEL', KEYS[1], unpack(ARGV, 2))
`);

/** A consumer with nothing in progress may be deleted; deleting one with events in progress would lose those events. */
const forget = `
local function forget(stream, group, consumer)
  local pending = redis.call('XPENDING', stream, group, '-', '+', 1, consumer)
  if #pending == 0 then redis.call('XGROUP', 'DELCONSUMER', stream, group, consumer) end
end
`;

/** KEYS: stream, handlers. ARGV: group, consumer, its handler member. */
export const leaveGroup = defineScript(`
${forget}
redis.call('ZREM', KEYS[2], ARGV[3])
if redis.call('EXISTS', KEYS[1]) == 1 then forget(KEYS[1], ARGV[1], ARGV[2]) end
return 1
`);

/**
 * KEYS: stream, handlers, dead letters. ARGV: group, how long a sign of life counts, idle time after which a consumer is gone,
 * handler member, life span. Returns 0 if the group is gone, with its stream or because that was made anew. Each entry lets
 * its stream live on, so that what is too old is taken from it here.
 */
export const signOfLife = defineScript(`${serverNow}
${forget}
redis.call('ZADD', KEYS[2], now + ARGV[2], ARGV[4])
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
redis.call('PEXPIRE', KEYS[2], ARGV[2])
redis.call('XTRIM', KEYS[1], 'MINID', now - ARGV[5])
redis.call('XTRIM', KEYS[3], 'MINID', now - ARGV[5])
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
local consumers = redis.pcall('XINFO', 'CONSUMERS', KEYS[1], ARGV[1])
if consumers.err and string.find(consumers.err, 'NOGROUP') then return 0 end
if consumers.err then return consumers end
for _, consumer in ipairs(consumers) do
  local facts = {}
  for i = 1, #consumer, 2 do facts[consumer[i]] = consumer[i + 1] end
  if facts['idle'] > tonumber(ARGV[3]) then forget(KEYS[1], ARGV[1], facts['name']) end
end
return 1
`);

/** KEYS: handlers. Returns the members that have a living consumer, by the server's clock. */
export const livingHandlers = defineScript(`${serverNow}
return redis.call('ZRANGEBYSCORE', KEYS[1], now, '+inf')
`);

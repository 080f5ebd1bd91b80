import type { SessionLog, SessionLogName } from "../ports/session-log.ts";
import { defineScript } from "./script.ts";
import { sessionLife } from "./session-life.ts";
import type { RedisStoreOptions } from "./store-options.ts";

/** KEYS: the session's record, its log. ARGV: life span, how many pieces to keep, the piece. Turns renew the life span. */
const appendPiece = defineScript(`
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
local pieces = redis.call('RPUSH', KEYS[2], ARGV[3])
if pieces == 1 then redis.call('PEXPIRE', KEYS[2], ARGV[1]) end
if pieces > tonumber(ARGV[2]) then redis.call('LTRIM', KEYS[2], -ARGV[2], -1) end
return 1
`);

export function createRedisSessionLog(
  { connections, keys, lifeSpans }: RedisStoreOptions,
  name: SessionLogName,
): SessionLog {
  return {
    async append(sessionId, piece, keep) {
      const { record, [name]: log } = keys.session(sessionId);
      const args = [sessionLife(lifeSpans).renewedMs, keep, piece];
      await connections.run((redis) => appendPiece(redis, [record, log], args));
    },
    read: (sessionId) => connections.run((redis) => redis.lrange(keys.session(sessionId)[name], 0, -1)),
  };
}

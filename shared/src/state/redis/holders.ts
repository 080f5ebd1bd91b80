/** A sorted set of holders for each key, scored by the time until which each has it, by the server's clock. */
import { z } from "zod";
import type { Holders } from "../ports/holders.ts";
import type { RedisConnections } from "./connection.ts";
import { defineScript, serverNow, type Script } from "./script.ts";

/** KEYS: holders. The set ends with the holder that has it longest. */
const prelude = `${serverNow}
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
local function put(holder, span)
  redis.call('ZADD', KEYS[1], now + span, holder)
  local longest = redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')[2]
  redis.call('PEXPIREAT', KEYS[1], math.ceil(tonumber(longest)))
end
`;

/** ARGV: holder, limit, span. */
const hold = defineScript(`${prelude}
local known = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not known and redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
put(ARGV[1], ARGV[3])
return 1
`);

/** ARGV: holder, span. */
const shorten = defineScript(`${prelude}
local known = redis.call('ZSCORE', KEYS[1], ARGV[1])
if known and tonumber(known) > now + ARGV[2] then put(ARGV[1], ARGV[2]) end
return 1
`);

const holdersOf = defineScript(`${prelude} return redis.call('ZRANGE', KEYS[1], 0, -1)`);

const names = z.array(z.string());

export function createRedisHolders(connections: RedisConnections, prefix: string): Holders {
  const run = (script: Script, key: string, args: readonly (string | number)[]): Promise<unknown> =>
    connections.run((redis) => script(redis, [prefix + key], args));
  return {
    // Where the number is not limited, the limit is infinite, and the script needs a finite number.
    hold: async (key, holder, { limit, forMs }) =>
      (await run(hold, key, [holder, Math.min(limit, Number.MAX_SAFE_INTEGER), forMs])) === 1,
    shorten: async (key, holder, toMs) => void (await run(shorten, key, [holder, toMs])),
    of: async (key) => names.parse(await run(holdersOf, key, [])),
    async release(key, holders) {
      if (holders.length > 0) await connections.run((redis) => redis.zrem(prefix + key, ...holders));
    },
  };
}

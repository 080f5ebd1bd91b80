/**
 * A sorted set of calls, scored by the time until which a place is reserved for each, measured by the server's clock.
 */
import type { CallPlaces } from "../ports/call-places.ts";
import { defineScript, type Script } from "./script.ts";
import type { RedisStoreOptions } from "./store-options.ts";

/** KEYS: places. The life span of the whole set is longer than any reservation. */
const prelude = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
local function put(call, span)
  redis.call('ZADD', KEYS[1], now + span, call)
  redis.call('PEXPIRE', KEYS[1], 3600000)
end
`;

/** ARGV: call, number of places not taken by a conversation, span. */
const keep = defineScript(`${prelude}
local known = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not known and redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
put(ARGV[1], ARGV[3])
return 1
`);

/** ARGV: call, span. */
const giveBack = defineScript(`${prelude}
local known = redis.call('ZSCORE', KEYS[1], ARGV[1])
if known and tonumber(known) > now + ARGV[2] then put(ARGV[1], ARGV[2]) end
return 1
`);

const kept = defineScript(`${prelude} return redis.call('ZCARD', KEYS[1])`);

export class RedisCallPlaces implements CallPlaces {
  readonly #options: RedisStoreOptions;

  constructor(options: RedisStoreOptions) {
    this.#options = options;
  }

  async keep(callId: string, { free, forMs }: { readonly free: number; readonly forMs: number }): Promise<boolean> {
    // Where the number of places is not limited, `free` is infinite, and the script needs a finite number.
    return (await this.#run(keep, [callId, Math.min(free, Number.MAX_SAFE_INTEGER), forMs])) === 1;
  }

  async giveBack(callId: string, inMs: number): Promise<void> {
    await this.#run(giveBack, [callId, inMs]);
  }

  async kept(): Promise<number> {
    return Number(await this.#run(kept, []));
  }

  #run(script: Script, args: readonly (string | number)[]): Promise<unknown> {
    const { connections, keys } = this.#options;
    return connections.run((redis) => script(redis, [keys.callPlaces], args));
  }
}

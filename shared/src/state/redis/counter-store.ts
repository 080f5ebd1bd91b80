import { z } from "zod";
import type { Count, CounterStore } from "../ports/counter-store.ts";
import { defineScript } from "./script.ts";
import type { RedisStoreOptions } from "./store-options.ts";

/** ARGV: life span. */
const addOne = defineScript(`
local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return { count, redis.call('PTTL', KEYS[1]) }
`);

const reply = z.tuple([z.int(), z.int()]);

/** A sorted set of holders, scored by the time until which each holds it, by the server's clock. */
const holding = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
`;

/** ARGV: holder, limit, life span. The set lives as long as the holder that came last. */
const holdOne = defineScript(`${holding}
if redis.call('ZSCORE', KEYS[1], ARGV[1]) then return 1 end
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
redis.call('ZADD', KEYS[1], now + ARGV[3], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1
`);

const holdersNow = defineScript(`${holding} return redis.call('ZRANGE', KEYS[1], 0, -1)`);

const names = z.array(z.string());

export class RedisCounterStore implements CounterStore {
  readonly #options: RedisStoreOptions;

  constructor(options: RedisStoreOptions) {
    this.#options = options;
  }

  async add(key: string, lifeSpanMs: number): Promise<Count> {
    const { connections, keys } = this.#options;
    const answer = await connections.run((redis) => addOne(redis, [keys.counter(key)], [lifeSpanMs]));
    const [count, endsInMs] = reply.parse(answer);
    return { count, endsInMs };
  }

  async clear(key: string): Promise<void> {
    const { connections, keys } = this.#options;
    await connections.run((redis) => redis.del(keys.counter(key)));
  }

  async hold(
    key: string,
    holder: string,
    { limit, lifeSpanMs }: { readonly limit: number; readonly lifeSpanMs: number },
  ): Promise<boolean> {
    const { connections, keys } = this.#options;
    const answer = await connections.run((redis) => holdOne(redis, [keys.held(key)], [holder, limit, lifeSpanMs]));
    return answer === 1;
  }

  async holders(key: string): Promise<readonly string[]> {
    const { connections, keys } = this.#options;
    return names.parse(await connections.run((redis) => holdersNow(redis, [keys.held(key)], [])));
  }

  async release(key: string, holders: readonly string[]): Promise<void> {
    const { connections, keys } = this.#options;
    if (holders.length > 0) await connections.run((redis) => redis.zrem(keys.held(key), ...holders));
  }
}

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
}

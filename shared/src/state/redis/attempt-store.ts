import { z } from "zod";
import type { AttemptStore } from "../ports/attempt-store.ts";
import { defineScript } from "./script.ts";
import type { RedisStoreOptions } from "./store-options.ts";

/** ARGV: life span. */
const addAttempt = defineScript(`
local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return count
`);

const count = z.int();

export class RedisAttemptStore implements AttemptStore {
  readonly #options: RedisStoreOptions;

  constructor(options: RedisStoreOptions) {
    this.#options = options;
  }

  async add(key: string, lifeSpanMs: number): Promise<number> {
    const { connections, keys } = this.#options;
    return count.parse(await connections.run((redis) => addAttempt(redis, [keys.attempts(key)], [lifeSpanMs])));
  }

  async clear(key: string): Promise<void> {
    const { connections, keys } = this.#options;
    await connections.run((redis) => redis.del(keys.attempts(key)));
  }
}

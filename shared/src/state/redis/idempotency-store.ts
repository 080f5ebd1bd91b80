import { z } from "zod";
import type { IdempotencyStore, KeyedRequest } from "../ports/idempotency-store.ts";
import { jsonOf } from "./hash-record.ts";
import { defineScript } from "./script.ts";
import type { RedisStoreOptions } from "./store-options.ts";

const stored = jsonOf<KeyedRequest>(z.object({ fingerprint: z.string(), resultId: z.string() }));

/** KEYS: request. ARGV: request, life span. Returns the request that came first. */
const claim = defineScript(`
if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return ARGV[1] end
return redis.call('GET', KEYS[1])
`);

export class RedisIdempotencyStore implements IdempotencyStore {
  readonly #options: RedisStoreOptions;

  constructor(options: RedisStoreOptions) {
    this.#options = options;
  }

  async find(key: string): Promise<KeyedRequest | undefined> {
    const { connections, keys } = this.#options;
    const text = await connections.run((redis) => redis.get(keys.keyedRequest(key)));
    return text === null ? undefined : stored.parse(text);
  }

  async claim(key: string, request: KeyedRequest, lifeSpanMs: number): Promise<KeyedRequest> {
    const { connections, keys } = this.#options;
    const args = [JSON.stringify(request), lifeSpanMs];
    return stored.parse(await connections.run((redis) => claim(redis, [keys.keyedRequest(key)], args)));
  }
}

import { z } from "zod";
import type { Count, KeyedRecords } from "../ports/keyed-records.ts";
import type { RedisConnections } from "./connection.ts";
import { defineScript } from "./script.ts";

/** KEYS: the record. ARGV: its current value, the next one. */
const swap = defineScript(`
local current = redis.call('GET', KEYS[1])
if not current then return 'gone' end
if current ~= ARGV[1] then return 'changed' end
redis.call('SET', KEYS[1], ARGV[2], 'KEEPTTL')
return 'swapped'
`);

/** KEYS: the count. ARGV: life span, by how much. */
const increment = defineScript(`
local count = redis.call('INCRBY', KEYS[1], ARGV[2])
if count == tonumber(ARGV[2]) then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return { count, redis.call('PTTL', KEYS[1]) }
`);

const swapped = z.enum(["swapped", "changed", "gone"]);
const counted = z.tuple([z.int(), z.int()]);

export class RedisKeyedRecords implements KeyedRecords {
  readonly #connections: RedisConnections;
  readonly #prefix: string;

  constructor(connections: RedisConnections, prefix: string) {
    this.#connections = connections;
    this.#prefix = prefix;
  }

  async get(key: string): Promise<string | undefined> {
    return (await this.#connections.run((redis) => redis.get(this.#prefix + key))) ?? undefined;
  }

  async getBytes(key: string): Promise<Uint8Array | undefined> {
    return (await this.#connections.run((redis) => redis.getBuffer(this.#prefix + key))) ?? undefined;
  }

  async put(key: string, value: string | Uint8Array, lifeSpanMs: number): Promise<void> {
    await this.#connections.run((redis) => redis.set(this.#prefix + key, Buffer.from(value), "PX", lifeSpanMs));
  }

  async putIfAbsent(key: string, value: string, lifeSpanMs: number): Promise<string | undefined> {
    for (;;) {
      const stored = await this.#connections.run((redis) =>
        redis.set(this.#prefix + key, value, "PX", Math.ceil(lifeSpanMs), "NX"),
      );
      if (stored === "OK") return undefined;
      const present = await this.get(key);
      // Otherwise it has ended in between.
      if (present !== undefined) return present;
    }
  }

  async swap(key: string, current: string, next: string): Promise<"swapped" | "changed" | "gone"> {
    return swapped.parse(await this.#connections.run((redis) => swap(redis, [this.#prefix + key], [current, next])));
  }

  async take(key: string): Promise<string | undefined> {
    return (await this.#connections.run((redis) => redis.getdel(this.#prefix + key))) ?? undefined;
  }

  async increment(key: string, lifeSpanMs: number, by: number): Promise<Count> {
    const answer = await this.#connections.run((redis) => increment(redis, [this.#prefix + key], [lifeSpanMs, by]));
    const [count, endsInMs] = counted.parse(answer);
    return { count, endsInMs };
  }

  async delete(key: string): Promise<void> {
    await this.#connections.run((redis) => redis.del(this.#prefix + key));
  }
}

import { z } from "zod";
import type { KeyedRecords } from "../ports/keyed-records.ts";
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

export function createRedisKeyedRecords(connections: RedisConnections, prefix: string): KeyedRecords {
  const get = async (key: string): Promise<string | undefined> =>
    (await connections.run((redis) => redis.get(prefix + key))) ?? undefined;
  return {
    get,
    getBytes: async (key) => (await connections.run((redis) => redis.getBuffer(prefix + key))) ?? undefined,
    async put(key, value, lifeSpanMs) {
      await connections.run((redis) => redis.set(prefix + key, Buffer.from(value), "PX", lifeSpanMs));
    },
    async putIfAbsent(key, value, lifeSpanMs) {
      for (;;) {
        const stored = await connections.run((redis) =>
          redis.set(prefix + key, value, "PX", Math.ceil(lifeSpanMs), "NX"),
        );
        if (stored === "OK") return undefined;
        const present = await get(key);
        // Otherwise it has ended in between.
        if (present !== undefined) return present;
      }
    },
    swap: async (key, current, next) =>
      swapped.parse(await connections.run((redis) => swap(redis, [prefix + key], [current, next]))),
    take: async (key) => (await connections.run((redis) => redis.getdel(prefix + key))) ?? undefined,
    async increment(key, lifeSpanMs, by) {
      const answer = await connections.run((redis) => increment(redis, [prefix + key], [lifeSpanMs, by]));
      const [count, endsInMs] = counted.parse(answer);
      return { count, endsInMs };
    },
    async delete(key) {
      await connections.run((redis) => redis.del(prefix + key));
    },
  };
}

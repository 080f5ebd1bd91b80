/** Each group is a hash. */
import { z } from "zod";
import type { RecordGroups } from "../ports/record-groups.ts";
import type { RedisConnections } from "./connection.ts";
import { defineScript } from "./script.ts";

/** KEYS: the group. ARGV: name, value, the most records, life span. */
const add = defineScript(`
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then return 'taken' end
if redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[3]) then return 'full' end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 'added'
`);

/** KEYS: the group. ARGV: name, its current value, the next one, life span. */
const swap = defineScript(`
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 1
`);

const added = z.enum(["added", "taken", "full"]);

export function createRedisRecordGroups(
  connections: RedisConnections,
  keyOf: (group: string) => string,
  lifeSpanMs: number,
): RecordGroups {
  return {
    all: (group) => connections.run((redis) => redis.hvals(keyOf(group))),
    get: async (group, name) => (await connections.run((redis) => redis.hget(keyOf(group), name))) ?? undefined,
    async add(group, name, value, most = Number.MAX_SAFE_INTEGER) {
      const args = [name, value, most, lifeSpanMs];
      return added.parse(await connections.run((redis) => add(redis, [keyOf(group)], args)));
    },
    async swap(group, name, current, next) {
      const args = [name, current, next, lifeSpanMs];
      return (await connections.run((redis) => swap(redis, [keyOf(group)], args))) === 1;
    },
  };
}

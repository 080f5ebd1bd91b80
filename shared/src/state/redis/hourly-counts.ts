import { hourMs } from "../../platform/day.ts";
import { countedLifeMs, countsLifeMs, hoursIn, maxNamesPerHour } from "../ports/hourly-counts.ts";
import type { CountedHour, HourlyCounts } from "../ports/hourly-counts.ts";
import type { RedisConnections } from "./connection.ts";
import { countKeys } from "./keys.ts";
import { defineScript } from "./script.ts";

/**
 * KEYS: whether it was counted, the hour. ARGV: life spans of both, the most names, then names and counts in turn. All keys are in one slot:
 * there are a few writes for each conversation.
 */
const addCounts = defineScript(`
if not redis.call('SET', KEYS[1], '1', 'NX', 'PX', ARGV[1]) then return 0 end
local names = redis.call('HLEN', KEYS[2])
for at = 4, #ARGV, 2 do
  if redis.call('HEXISTS', KEYS[2], ARGV[at]) == 1 or names < tonumber(ARGV[3]) then
    if redis.call('HEXISTS', KEYS[2], ARGV[at]) == 0 then names = names + 1 end
    redis.call('HINCRBYFLOAT', KEYS[2], ARGV[at], ARGV[at + 1])
  end
end
redis.call('PEXPIRE', KEYS[2], ARGV[2])
return 1
`);

/** Read together, so that a month is a few requests and none of them keeps the store busy for long. */
const hoursAtOnce = 200;

export function createRedisHourlyCounts(connections: RedisConnections, prefix: string): HourlyCounts {
  const keys = countKeys(prefix);
  const readTogether = async (numbers: readonly number[], tenant: string | undefined): Promise<CountedHour[]> => {
    const hashes = await connections.run((redis) =>
      Promise.all(numbers.map((number) => redis.hgetall(keys.hour(number, tenant)))),
    );
    return hashes.flatMap((hash, index) => {
      const entries = Object.entries(hash).map(([name, count]) => [name, Number(count)] as const);
      const startMs = (numbers[index] ?? 0) * hourMs;
      return entries.length === 0 ? [] : [{ startMs, counts: Object.fromEntries(entries) }];
    });
  };
  return {
    async add({ id, atMs, counts, tenant }) {
      const where = [keys.counted(id), keys.hour(Math.floor(atMs / hourMs), tenant)];
      const args = [countedLifeMs, countsLifeMs, maxNamesPerHour, ...Object.entries(counts).flat()];
      return (await connections.run((redis) => addCounts(redis, where, args))) === 1;
    },
    async read(fromMs, beforeMs, tenant) {
      const numbers = hoursIn(fromMs, beforeMs);
      const read: CountedHour[] = [];
      for (let at = 0; at < numbers.length; at += hoursAtOnce)
        read.push(...(await readTogether(numbers.slice(at, at + hoursAtOnce), tenant)));
      return read;
    },
  };
}

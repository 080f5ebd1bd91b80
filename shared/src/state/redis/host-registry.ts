import { z } from "zod";
import {
  byHostId,
  heartbeatTtlMs,
  hostHeartbeat,
  sessionsOf,
  silentHostTtlMs,
  type HostHeartbeat,
  type HostRegistry,
} from "../ports/host-registry.ts";
import { jsonOf } from "../stored-json.ts";
import { defineScript, serverNow } from "./script.ts";
import type { RedisStoreOptions } from "./store-options.ts";

/**
 * KEYS: index by expiry, heartbeat, hosts remembered, conversations of each.
 * ARGV: host id, heartbeat, life span, how long a silent host is remembered, its conversations.
 */
const beat = defineScript(`
${serverNow}
local former = redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3], 'GET')
redis.call('ZADD', KEYS[1], now + ARGV[3], ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('PEXPIRE', KEYS[1], ARGV[3])
redis.call('ZADD', KEYS[3], now + ARGV[4], ARGV[1])
redis.call('HSET', KEYS[4], ARGV[1], ARGV[5])
for _, forgotten in ipairs(redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', now)) do
  redis.call('HDEL', KEYS[4], forgotten)
end
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', now)
redis.call('PEXPIRE', KEYS[3], ARGV[4])
redis.call('PEXPIRE', KEYS[4], ARGV[4])
return former and 1 or 0
`);

const heartbeats = z.array(jsonOf(hostHeartbeat));

export function createRedisHostRegistry({ connections, keys }: RedisStoreOptions): HostRegistry {
  const list = async (): Promise<readonly HostHeartbeat[]> => {
    const hostIds = await connections.run((redis) => redis.zrangebyscore(keys.hosts, "-inf", "+inf"));
    if (hostIds.length === 0) return [];
    const texts = await connections.run((redis) => redis.mget(hostIds.map((hostId) => keys.host(hostId))));
    return heartbeats.parse(texts.filter((text) => text !== null)).toSorted(byHostId);
  };
  return {
    list,
    async beat(heartbeat) {
      const { hostId } = heartbeat;
      const where = [keys.hosts, keys.host(hostId), keys.hostsRemembered, keys.hostSessions];
      const args = [hostId, JSON.stringify(heartbeat), heartbeatTtlMs, silentHostTtlMs, sessionsOf(heartbeat)];
      return (await connections.run((redis) => beat(redis, where, args))) === 1;
    },
    async remove(hostId) {
      await connections.run((redis) =>
        Promise.all([
          redis.del(keys.host(hostId)),
          redis.zrem(keys.hosts, hostId),
          redis.zrem(keys.hostsRemembered, hostId),
          redis.hdel(keys.hostSessions, hostId),
        ]),
      );
    },
    async listWithSilent() {
      const [counted, alive] = await Promise.all([
        connections.run((redis) => redis.hgetall(keys.hostSessions)),
        list(),
      ]);
      const present = new Set(alive.map(({ hostId }) => hostId));
      const silent = Object.entries(counted)
        .map(([hostId, sessions]) => ({ hostId, sessions: Number(sessions) }))
        .filter(({ hostId }) => !present.has(hostId))
        .toSorted(byHostId);
      return { alive, silent };
    },
  };
}

import { z } from "zod";
import { heartbeatTtlMs, type HostHeartbeat, type HostRegistry } from "../ports/host-registry.ts";
import { jsonOf } from "../stored-json.ts";
import { hostHeartbeat } from "./records.ts";
import { defineScript } from "./script.ts";
import type { RedisStoreOptions } from "./store-options.ts";

/** Uses the server's clock, because hosts whose clocks differ must not remove each other from the index. */
const nowMs = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/** KEYS: index by expiry, heartbeat. ARGV: host id, heartbeat, life span. */
const beat = defineScript(`
${nowMs}
local former = redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3], 'GET')
redis.call('ZADD', KEYS[1], now + ARGV[3], ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return former and 1 or 0
`);

const heartbeats = z.array(jsonOf(hostHeartbeat));

export class RedisHostRegistry implements HostRegistry {
  readonly #options: RedisStoreOptions;

  constructor(options: RedisStoreOptions) {
    this.#options = options;
  }

  async beat(heartbeat: HostHeartbeat): Promise<boolean> {
    const { connections, keys } = this.#options;
    const args = [heartbeat.hostId, JSON.stringify(heartbeat), heartbeatTtlMs];
    const wasListed = await connections.run((redis) => beat(redis, [keys.hosts, keys.host(heartbeat.hostId)], args));
    return wasListed === 1;
  }

  async remove(hostId: string): Promise<void> {
    const { connections, keys } = this.#options;
    await connections.run((redis) => Promise.all([redis.del(keys.host(hostId)), redis.zrem(keys.hosts, hostId)]));
  }

  async list(): Promise<readonly HostHeartbeat[]> {
    const { connections, keys } = this.#options;
    const hostIds = await connections.run((redis) => redis.zrangebyscore(keys.hosts, "-inf", "+inf"));
    if (hostIds.length === 0) return [];
    const texts = await connections.run((redis) => redis.mget(hostIds.map((hostId) => keys.host(hostId))));
    return heartbeats.parse(texts.filter((text) => text !== null)).toSorted((a, b) => (a.hostId < b.hostId ? -1 : 1));
  }
}

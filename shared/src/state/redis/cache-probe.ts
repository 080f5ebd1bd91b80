/** Checks the cache by writing and reading a key on each node that holds data. */
import { createId } from "../../platform/ids.ts";
import { VoiceError } from "../../platform/errors.ts";
import type { RedisConnections } from "./connection.ts";
import type { Keys } from "./keys.ts";

const lifeSpanMs = 10_000;

/** Rejects with a `VoiceError` as soon as one node does not answer, refuses the write, or returns something else. */
export function createCacheProbe(connections: RedisConnections, keys: Keys): () => Promise<void> {
  const processId = createId("host");

  async function check(key: string): Promise<void> {
    const [, read] = await connections.run((redis) =>
      Promise.all([redis.set(key, "1", "PX", lifeSpanMs), redis.get(key)]),
    );
    if (read !== "1") throw new VoiceError("cache_connection_failed", "the cache does not keep what is written");
  }

  return async () => {
    const tags = connections.servers().tagsByNode();
    await Promise.all(tags.map((tag) => check(keys.probe(tag, processId))));
  };
}

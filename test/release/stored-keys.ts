/** All that is in a Redis, as text that can be committed, and put back into another one. */
import type { Redis } from "ioredis";
import { z } from "zod";

const pairs = z.array(z.string());
const entries = z.array(z.tuple([z.string(), pairs]));

export const storedKey = z.discriminatedUnion("type", [
  z.object({ key: z.string(), type: z.literal("string"), value: z.string() }),
  z.object({ key: z.string(), type: z.literal("hash"), value: z.record(z.string(), z.string()) }),
  z.object({ key: z.string(), type: z.literal("list"), value: z.array(z.string()) }),
  z.object({ key: z.string(), type: z.literal("set"), value: z.array(z.string()) }),
  /** Member, score, member, score, … */
  z.object({ key: z.string(), type: z.literal("zset"), value: pairs }),
  z.object({ key: z.string(), type: z.literal("stream"), value: entries }),
]);

export type StoredKey = z.infer<typeof storedKey>;

export async function readKeys(redis: Redis): Promise<StoredKey[]> {
  const keys = (await redis.keys("*")).toSorted();
  return Promise.all(keys.map(async (key) => storedKey.parse(await readKey(redis, key, await redis.type(key)))));
}

async function readKey(redis: Redis, key: string, type: string): Promise<unknown> {
  switch (type) {
    case "string":
      return { key, type, value: await redis.get(key) };
    case "hash":
      return { key, type, value: await redis.hgetall(key) };
    case "list":
      return { key, type, value: await redis.lrange(key, 0, -1) };
    case "set":
      return { key, type, value: await redis.smembers(key) };
    case "zset":
      return { key, type, value: await redis.zrange(key, "0", "-1", "WITHSCORES") };
    case "stream":
      return { key, type, value: await redis.xrange(key, "-", "+") };
    default:
      throw new Error(`a key of the type ${type}`);
  }
}

/** `laterMs`: by how much the entries of streams are newer than when they were read, because they expire by the clock of Redis. */
export async function writeKeys(redis: Redis, keys: readonly StoredKey[], laterMs = 0): Promise<void> {
  for (const stored of keys) await writeKey(redis, stored, laterMs);
}

async function writeKey(redis: Redis, { key, type, value }: StoredKey, laterMs: number): Promise<void> {
  switch (type) {
    case "string":
      await redis.set(key, value);
      return;
    case "hash":
      await redis.hset(key, value);
      return;
    case "list":
      await redis.rpush(key, ...value);
      return;
    case "set":
      await redis.sadd(key, ...value);
      return;
    case "zset":
      for (let at = 0; at + 1 < value.length; at += 2) await redis.zadd(key, value[at + 1] ?? "0", value[at] ?? "");
      return;
    case "stream":
      for (const [id, fields] of value) {
        const [atMs, sequence] = id.split("-");
        await redis.xadd(key, `${Number(atMs) + laterMs}-${sequence}`, ...fields);
      }
  }
}

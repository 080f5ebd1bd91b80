/** The time by the server that has the registry of hosts: in a cluster, all processes ask the same one. */
import { z } from "zod";
import type { RedisConnections } from "./connection.ts";
import type { Keys } from "./keys.ts";
import { defineScript } from "./script.ts";

/** A script, because a cluster finds the server of a command by its key, and `TIME` has none. */
const askTime = defineScript("return redis.call('TIME')");

/** Seconds, and the microseconds since then. */
const answer = z.tuple([z.coerce.number(), z.coerce.number()]);

export async function readTime(connections: RedisConnections, keys: Keys): Promise<number> {
  const [seconds, microseconds] = answer.parse(await connections.run((redis) => askTime(redis, [keys.hosts], [])));
  return seconds * 1000 + Math.floor(microseconds / 1000);
}

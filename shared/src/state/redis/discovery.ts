/** Determines what kind of server is at the cache's address, once, when it is first reached. */
import type { Redis } from "ioredis";
import { z } from "zod";
import { ConfigurationError } from "../../config/configuration-error.ts";
import { fromPairs } from "./hash-record.ts";
import { isReply } from "./redis-error.ts";

export interface ServerFacts {
  readonly version: string;
  readonly isCluster: boolean;
}

/** GETDEL and XAUTOCLAIM came with 6.2; SSUBSCRIBE, which only a cluster needs, with 7.0. */
const oldest = { single: "6.2", cluster: "7.0" } as const;

const hello = z.array(z.unknown()).transform((flat) => fromPairs(flat.map(String)));

/**
 * `isCluster` is the value from the settings, if it is set. Rejects with a `ConfigurationError` for a server that is
 * too old.
 */
export async function discoverServer(redis: Redis, isCluster: boolean | undefined): Promise<ServerFacts> {
  const [greeting, layout] = await Promise.all([redis.call("HELLO"), isCluster ?? answersForCluster(redis)]);
  const { version = "", mode } = hello.parse(greeting);
  const facts = { version, isCluster: layout ?? mode === "cluster" };
  requireVersion(facts);
  return facts;
}

/**
 * Asks for the layout, on which the cluster client depends. A proxy in front of a cluster refuses this command, as a
 * single server does. If the user lacks the permission, the result is undefined, because the refusal says nothing about
 * the server.
 */
async function answersForCluster(redis: Redis): Promise<boolean | undefined> {
  try {
    const ranges = await redis.cluster("SLOTS");
    // A node that has never met another does not know its own address, and serves every slot there is.
    return ranges.some(([, , primary]) => Boolean(primary?.[0]));
  } catch (error) {
    if (isReply(error, "NOPERM")) return undefined;
    if (isReply(error, "ERR")) return false;
    throw error;
  }
}

export function requireVersion({ version, isCluster }: ServerFacts): void {
  const needed = isCluster ? oldest.cluster : oldest.single;
  if (compareVersions(version, needed) >= 0) return;
  const what = isCluster ? "a cluster" : "the cache";
  throw new ConfigurationError([
    `CACHE_HOST: ${what} needs Redis ${needed} or newer, and the server says it is ${version}`,
  ]);
}

function compareVersions(one: string, other: string): number {
  const [a = [], b = []] = [one, other].map((version) => version.split(".").map(Number));
  return (a[0] ?? 0) - (b[0] ?? 0) || (a[1] ?? 0) - (b[1] ?? 0);
}

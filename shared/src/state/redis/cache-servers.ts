/** The servers behind the cache's address: one that holds everything, or the nodes of a cluster. */
import type { Redis, RedisCommander } from "ioredis";
import type { NodeAddress } from "./node-options.ts";

export type CacheCommands = RedisCommander<{ type: "default"; mapping: "resp2" }>;

export interface CacheServers {
  readonly isCluster: boolean;
  /** Sends each command to the node that serves its keys. */
  readonly commands: CacheCommands;
  readonly isReady: boolean;
  /** The node that serves the key now, according to the node itself. */
  nodeOf(key: string): Promise<NodeAddress>;
  /** Whether the node serves the key, according to what is known without asking. */
  isServedBy(key: string, node: NodeAddress): boolean;
  /** For each node that holds data, a hash tag whose keys it serves. */
  tagsByNode(): readonly string[];
  /** Calls back whenever the layout, meaning which node serves which slots, has been read again. */
  onLayout(listener: () => void): void;
  close(): void;
}

export function singleServer(redis: Redis, address: NodeAddress): CacheServers {
  return {
    isCluster: false,
    commands: redis,
    get isReady() {
      return redis.status === "ready";
    },
    nodeOf: () => Promise.resolve(address),
    isServedBy: () => true,
    tagsByNode: () => ["0"],
    onLayout: () => undefined,
    close: () => redis.disconnect(),
  };
}

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
  /**
   * Calls back whenever the layout, meaning which node serves which slots, has been read again, or may have become
   * another.
   */
  onLayout(listener: () => void): void;
  close(): void;
}

/**
 * After a failover another machine may be at the same address, while the former one keeps the connections that it has.
 * So whenever the connection for commands had to be opened again, the node counts as another one.
 */
export function singleServer(redis: Redis, { host, port }: NodeAddress): CacheServers {
  let node: NodeAddress = { host, port };
  redis.on("ready", () => {
    node = { host, port };
  });
  return {
    isCluster: false,
    commands: redis,
    get isReady() {
      return redis.status === "ready";
    },
    nodeOf: () => Promise.resolve(node),
    isServedBy: (_key, served) => served === node,
    tagsByNode: () => ["0"],
    onLayout: (listener) => void redis.on("ready", listener),
    close: () => redis.disconnect(),
  };
}

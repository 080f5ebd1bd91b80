/**
 * The nodes of a Redis Cluster, through the client's cluster support: it follows MOVED and ASK, waits out TRYAGAIN and
 * CLUSTERDOWN, and learns anew which node serves which slot. None of these commands was carried out, so sending them again
 * is safe. What may have been carried out (its connection broke before the answer) is never sent again.
 */
import { Cluster, type Redis } from "ioredis";
import { VoiceError } from "../../platform/errors.ts";
import type { CacheServers } from "./cache-servers.ts";
import type { CacheEndpoint } from "./endpoint.ts";
import { keySlot } from "./key-slot.ts";
import type { NodeConnections } from "./node-connections.ts";
import { nodeOptions, tlsTo } from "./node-options.ts";

export interface ClusterServersOptions {
  readonly endpoint: CacheEndpoint;
  readonly nodes: NodeConnections;
  readonly retryDelayMs: (attempt: number) => number;
}

/** Redirects and lost connections tell of changes at once; this finds those that nobody ran into. */
const layoutIntervalMs = 10_000;
/** Between attempts of a command that the cluster could not yet take; at most `maxRedirections` of them. */
const notYetMs = 100;

/** The slots of the tags 0, 1, 2 and so on; so many that even a node with one slot in a hundred has one of them. */
const tagSlots = Array.from({ length: 1000 }, (_, tag) => keySlot(String(tag)));

/** Fails at once while no node is known, instead of keeping commands for later. */
class ImpatientCluster extends Cluster {
  override sendCommand(...args: Parameters<Cluster["sendCommand"]>): unknown {
    const [command] = args;
    // The client's own question for the layout, by which it becomes ready.
    if (this.status === "ready" || command.name === "cluster") return super.sendCommand(...args);
    command.reject(new VoiceError("cache_connection_failed", "no node of the cache is connected"));
    return command.promise;
  }
}

/** Resolves when the first attempt to learn the layout is over. A cluster that is away is waited for in the background. */
export async function openCluster(options: ClusterServersOptions): Promise<CacheServers> {
  const { endpoint, nodes, retryDelayMs } = options;
  const { host, port, connectionTimeoutMs } = endpoint;
  const cluster = new ImpatientCluster([{ host, port }], {
    redisOptions: { ...nodeOptions(endpoint, { password: undefined }), ...tlsTo(host, endpoint) },
    lazyConnect: true,
    // Names are left to the socket, which tries every address of a name and checks the certificate against it.
    dnsLookup: (name, found) => found(null, name),
    slotsRefreshTimeout: connectionTimeoutMs,
    slotsRefreshInterval: layoutIntervalMs,
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: notYetMs,
    retryDelayOnTryAgain: notYetMs,
    clusterRetryStrategy: retryDelayMs,
  });
  // Before the connection is opened: a node gets the password of the day, and not the one of the day the cluster was opened.
  cluster.on("+node", (redis: Redis) => nodes.adopt(redis));
  cluster.on("-node", (redis: Redis) => {
    nodes.forget(redis);
    cluster.refreshSlotsCache();
  });
  // Each failure was reported by the node it happened on.
  cluster.on("error", () => undefined);
  await cluster.connect().catch(() => undefined);
  return toServers(cluster);
}

function toServers(cluster: Cluster): CacheServers {
  /** `host:port`, the primary's before its replicas'. */
  const primaryOf = (key: string): string | undefined => cluster.slots[keySlot(key)]?.[0];
  return {
    isCluster: true,
    commands: cluster,
    get isReady() {
      return cluster.status === "ready";
    },
    async nodeOf(key) {
      // The node that serves the key answers; on the way there the client learns which one that is.
      await cluster.exists(key);
      const node = primaryOf(key);
      if (node === undefined) throw new VoiceError("cache_connection_failed", "no node of the cache serves this key");
      const colon = node.lastIndexOf(":");
      return { host: node.slice(0, colon), port: Number(node.slice(colon + 1)) };
    },
    isServedBy: (key, { host, port }) => primaryOf(key) === `${host}:${port}`,
    tagsByNode() {
      const primaries = new Set<string | undefined>();
      const tags: string[] = [];
      for (const [tag, slot] of tagSlots.entries()) {
        const primary = cluster.slots[slot]?.[0];
        if (!primaries.has(primary)) tags.push(String(tag));
        primaries.add(primary);
      }
      return tags;
    },
    onLayout: (listener) => void cluster.on("refresh", listener),
    close: () => cluster.disconnect(),
  };
}

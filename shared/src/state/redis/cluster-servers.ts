/**
 * The nodes of a Redis Cluster, through the client's cluster support: it follows MOVED and ASK, waits out TRYAGAIN and
 * CLUSTERDOWN, and reads again which node serves which slot. The server did not execute a command that it answered in
 * one of these ways, so sending it again is safe. A command that may have been executed (its connection broke before
 * the reply) is never sent again.
 */
import { Cluster, type Redis } from "ioredis";
import { VoiceError } from "../../platform/errors.ts";
import type { CacheServers } from "./cache-servers.ts";
import type { CacheEndpoint } from "./endpoint.ts";
import { keySlot } from "./key-slot.ts";
import type { NodeConnections } from "./node-connections.ts";
import { nodeOptions, tlsTo } from "./node-options.ts";

/**
 * Redirects and lost connections reveal changes at once; this periodic refresh finds changes that no command has met.
 */
const layoutIntervalMs = 10_000;
/** The delay between attempts of a command whose slot is moving. */
const movingMs = 100;
/** The delay between attempts while the cluster has no primary for some slot: it gives up after 1.7 s, because that may last long. */
const downMs = 35;
/**
 * How often a command is sent elsewhere or again. While its slot moves, one attempt takes up to four: it is made at any node, sent to
 * the slot's own, from there to its next one, and told to try again. So it goes on for 1.2 s at least; a slot with a thousand keys
 * moves in about a second.
 */
const maxRedirections = 48;

/**
 * The slots of the tags 0, 1, 2 and so on. There are enough that even a node with one slot in a hundred has one of
 * them.
 */
const tagSlots = Array.from({ length: 1000 }, (_, tag) => keySlot(String(tag)));

/** Commands fail at once while no node is known, instead of being queued. */
class FailFastCluster extends Cluster {
  override sendCommand(...args: Parameters<Cluster["sendCommand"]>): unknown {
    const [command] = args;
    // The client's own request for the cluster layout, on which its readiness depends.
    if (this.status === "ready" || command.name === "cluster") return super.sendCommand(...args);
    command.reject(new VoiceError("cache_connection_failed", "no node of the cache is connected"));
    return command.promise;
  }
}

/**
 * Resolves when the first attempt to read the layout is over. If the cluster is unavailable, connecting continues in
 * the background.
 */
export async function openCluster(options: {
  readonly endpoint: CacheEndpoint;
  readonly nodes: NodeConnections;
  readonly retryDelayMs: (attempt: number) => number;
}): Promise<CacheServers> {
  const { endpoint, nodes, retryDelayMs } = options;
  const { host, port, connectionTimeoutMs } = endpoint;
  const cluster = new FailFastCluster([{ host, port }], {
    redisOptions: { ...nodeOptions(endpoint, { password: undefined }), ...tlsTo(host, endpoint) },
    lazyConnect: true,
    // The socket resolves host names itself, so that it tries every address of a name and checks the certificate
    // against it.
    dnsLookup: (name, found) => found(null, name),
    slotsRefreshTimeout: connectionTimeoutMs,
    slotsRefreshInterval: layoutIntervalMs,
    maxRedirections,
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: downMs,
    retryDelayOnTryAgain: movingMs,
    clusterRetryStrategy: retryDelayMs,
  });
  // Runs before the connection is opened, so that a node receives the current password rather than the one from when
  // the cluster was opened.
  cluster.on("+node", (redis: Redis) => nodes.adopt(redis));
  cluster.on("-node", (redis: Redis) => {
    nodes.forget(redis);
    cluster.refreshSlotsCache();
  });
  // The node on which a failure happened has already reported it.
  cluster.on("error", () => undefined);
  await cluster.connect().catch(() => undefined);
  return toServers(cluster);
}

function toServers(cluster: Cluster): CacheServers {
  /** `host:port`, with the primary's address before those of its replicas. */
  const primaryOf = (key: string): string | undefined => cluster.slots[keySlot(key)]?.[0];
  return {
    isCluster: true,
    commands: cluster,
    get isReady() {
      return cluster.status === "ready";
    },
    async nodeOf(key) {
      // The node that serves the key answers, and any redirect on the way teaches the client which node that is.
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

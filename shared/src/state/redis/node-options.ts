/** How every connection to a node of the cache behaves, whether this code opens it or the cluster client does. */
import { isIP } from "node:net";
import type { RedisOptions } from "ioredis";
import type { CacheEndpoint } from "./endpoint.ts";
import { isReply } from "./redis-error.ts";

export interface NodeAddress {
  readonly host: string;
  readonly port: number;
}

export interface NodeOptions {
  readonly password: string | undefined;
  /** Longest that one of its commands waits on purpose; its time-out is this much longer. */
  readonly blockMs?: number;
}

/** Everything but where the node is, TLS (see `tlsTo`) and whether to reconnect. */
export function nodeOptions(
  endpoint: CacheEndpoint,
  options: NodeOptions,
): Omit<RedisOptions, "host" | "port" | "retryStrategy"> & { replyMapping: "legacy" } {
  const { authentication } = endpoint;
  const { password, blockMs = 0 } = options;
  const timeoutMs = endpoint.operationTimeoutMs + blockMs;
  return {
    // RESP3: a subscribed connection can authenticate again, which RESP2 forbids.
    protocol: 3,
    replyMapping: "legacy",
    ...(authentication.type === "none" ? {} : { username: authentication.username, password }),
    lazyConnect: true,
    connectTimeout: endpoint.connectionTimeoutMs,
    // A peer that does not answer does not say goodbye either.
    disconnectTimeout: 100,
    commandTimeout: timeoutMs,
    // A silent peer (a failed-over node, a dead tunnel) is replaced soon after a command on it has timed out.
    socketTimeout: timeoutMs + 1000,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    // After a failover the old primary answers, and refuses every write; the new one is behind a new connection.
    reconnectOnError: (error) => isReply(error, "READONLY"),
  };
}

/**
 * The nodes of a managed cluster announce themselves by IP address and have the certificate of the name that the cache is
 * configured by. A node that announces a name is taken by its word.
 */
export function tlsTo(host: string, endpoint: CacheEndpoint): { tls?: { ca?: string; servername?: string } } {
  if (endpoint.tls === undefined) return {};
  const { ca } = endpoint.tls;
  const name = isIP(host) === 0 ? host : endpoint.host;
  return { tls: { ...(ca === undefined ? {} : { ca }), ...(isIP(name) === 0 ? { servername: name } : {}) } };
}

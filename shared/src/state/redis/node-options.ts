/** The options of every connection to a node of the cache, whether this code opens it or the cluster client does. */
import { isIP } from "node:net";
import type { RedisOptions } from "ioredis";
import type { CacheEndpoint } from "./endpoint.ts";

export interface NodeAddress {
  readonly host: string;
  readonly port: number;
}

export interface NodeOptions {
  readonly password: string | undefined;
  /** The longest time that a command on this connection blocks on purpose; its time-out is this much longer. */
  readonly blockMs?: number;
}

/** Every option except the node's address, TLS (see `tlsTo`) and whether to reconnect. */
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
    // A peer that does not answer does not close its connection properly either.
    disconnectTimeout: 100,
    commandTimeout: timeoutMs,
    // A silent peer (a failed-over node, a dead tunnel) is replaced soon after a command on it has timed out.
    socketTimeout: timeoutMs + 1000,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
  };
}

/**
 * The nodes of a managed cluster announce themselves by IP address, but their certificate is for the name in the
 * settings. If a node announces a name, that name is used.
 */
export function tlsTo(host: string, endpoint: CacheEndpoint): { tls?: { ca?: string; servername?: string } } {
  if (endpoint.tls === undefined) return {};
  const { ca } = endpoint.tls;
  const name = isIP(host) === 0 ? host : endpoint.host;
  return { tls: { ...(ca === undefined ? {} : { ca }), ...(isIP(name) === 0 ? { servername: name } : {}) } };
}

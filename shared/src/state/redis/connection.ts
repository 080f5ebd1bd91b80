/**
 * The process's connections to the cache: shared ones for commands, and separate ones for operations that occupy a
 * connection (blocking reads, subscriptions). A command fails at once while there is no connection, and is never
 * silently sent again. Code that must not lose a write has to keep the write itself (see `BufferedSessionStore`).
 */
import type { Redis } from "ioredis";
import { ConfigurationError } from "../../config/configuration-error.ts";
import { growingDelayMs } from "../../platform/backoff.ts";
import { VoiceError } from "../../platform/errors.ts";
import { singleServer, type CacheCommands, type CacheServers } from "./cache-servers.ts";
import { openCluster } from "./cluster-servers.ts";
import { discoverServer } from "./discovery.ts";
import { NodeConnections, type NodeConnectionsOptions } from "./node-connections.ts";
import type { NodeAddress } from "./node-options.ts";
import { toCacheError } from "./redis-error.ts";

const reconnection = { firstMs: 50, longestMs: 2000 };

/**
 * Resolves when the first attempt to connect is over. If the cache is unavailable, connecting continues in the
 * background. Rejects if the cache answers but cannot be used.
 */
export async function openRedisConnections(options: NodeConnectionsOptions): Promise<RedisConnections> {
  const connections = new RedisConnections(options);
  await connections.start();
  return connections;
}

export class RedisConnections {
  readonly #options: NodeConnectionsOptions;
  readonly #nodes: NodeConnections;
  #servers: CacheServers | undefined;
  #discovery: Promise<void> | undefined;
  #refusal: ConfigurationError | undefined;
  /** The failure of the latest attempt to connect for the first time. */
  #firstFailure: VoiceError | undefined;
  /** The number of connections in use to one node; the shared one always counts. */
  #reserved = 1;
  #closed = false;

  constructor(options: NodeConnectionsOptions) {
    this.#options = options;
    this.#nodes = new NodeConnections(options);
  }

  async start(): Promise<void> {
    await this.#nodes.start();
    const first = this.#nodes.create(this.#options.endpoint, { retryStrategy: this.#retryDelayMs });
    first.on("error", (error) => {
      this.#firstFailure = toCacheError(error);
    });
    first.on("ready", () => {
      if (this.#servers === undefined) this.#discovery ??= this.#discover(first);
    });
    // The connection's `error` event has already reported the failure, and ioredis keeps trying.
    await first.connect().catch(() => undefined);
    await this.#discovery;
    if (this.#refusal !== undefined) {
      await this.closeAll();
      throw this.#refusal;
    }
  }

  /** Runs commands on the shared connections; rejects with a `VoiceError`. */
  async run<T>(operation: (redis: CacheCommands) => Promise<T>): Promise<T> {
    try {
      const { commands } = this.servers();
      return await operation(commands);
    } catch (error) {
      throw toCacheError(error);
    }
  }

  /** The servers that answer. Throws if none has been reached yet. */
  servers(): CacheServers {
    if (this.#servers !== undefined) return this.#servers;
    throw this.#refusal ?? this.#neverReached();
  }

  /** A command that fails before the first connection has no reason of its own, so it is given that of the last attempt to connect. */
  #neverReached(): VoiceError {
    const reason = this.#firstFailure?.reason;
    return new VoiceError("cache_connection_failed", "the cache was not reached since the start", { reason });
  }

  /** Counts one use against the limit of connections to a node, until the returned function is called. */
  reserve(): () => void {
    if (this.#reserved >= this.#options.endpoint.maxConnections)
      throw new VoiceError("cache_connection_failed", "CACHE_MAX_CONNECTIONS connections are in use");
    this.#reserved += 1;
    let isReserved = true;
    return () => {
      if (isReserved) this.#reserved -= 1;
      isReserved = false;
    };
  }

  /** Creates a connection to one node, which the caller opens and which does not reconnect. `close` ends it. */
  create(address: NodeAddress, options: { readonly blockMs?: number } = {}): Redis {
    if (this.#closed) throw new VoiceError("cache_connection_failed", "the cache is closed");
    return this.#nodes.create(address, options);
  }

  close(redis: Redis): void {
    this.#nodes.close(redis);
  }

  /** Idempotent. Commands in progress are abandoned. */
  async closeAll(): Promise<void> {
    this.#closed = true;
    this.#servers?.close();
    this.#nodes.closeAll();
  }

  /** Repeated with every new connection until it succeeds. */
  async #discover(first: Redis): Promise<void> {
    const { endpoint, logger } = this.#options;
    try {
      const { isCluster } = await discoverServer(first, endpoint.isCluster);
      const servers = isCluster ? await this.#openCluster(first) : singleServer(first, endpoint);
      if (this.#closed) servers.close();
      this.#servers = servers;
    } catch (error) {
      this.#discovery = undefined;
      if (this.#closed) return;
      logger.error({ error }, "the cache cannot be used");
      if (error instanceof ConfigurationError) this.#refusal = error;
      first.disconnect(true);
    }
  }

  #openCluster(first: Redis): Promise<CacheServers> {
    this.#nodes.close(first);
    return openCluster({ endpoint: this.#options.endpoint, nodes: this.#nodes, retryDelayMs: this.#retryDelayMs });
  }

  readonly #retryDelayMs = (attempt: number): number =>
    growingDelayMs(attempt - 1, reconnection) * (1 + 0.2 * this.#options.random());
}

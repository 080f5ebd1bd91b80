/**
 * Every connection of this process to a node of the cache. Each is authenticated with the current password or token:
 * when it connects, when it reconnects, and when the token is renewed while it is open.
 */
import { Redis, type RedisOptions } from "ioredis";
import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/logger.ts";
import { createDemotedNodes, type DemotedNodes } from "./demoted-nodes.ts";
import type { CacheEndpoint } from "./endpoint.ts";
import { startTokenRotation, type TokenRotation } from "./entra-token.ts";
import { nodeOptions, tlsTo, type NodeAddress } from "./node-options.ts";
import { isReply, toCacheError } from "./redis-error.ts";

export interface NodeConnectionsOptions {
  readonly endpoint: CacheEndpoint;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random: () => number;
}

/** In what a node says of itself. */
const isReplica = /^role:slave\b/m;

export class NodeConnections {
  readonly #options: NodeConnectionsOptions;
  readonly #live = new Set<Redis>();
  /** Nodes whose loss has been reported. */
  readonly #lost = new Set<string>();
  /** The lost nodes that have refused our password since. That is reported, too, because waiting does not mend it. */
  readonly #locked = new Set<string>();
  readonly #demoted: DemotedNodes;
  #password: string | undefined;
  #rotation: TokenRotation | undefined;

  constructor(options: NodeConnectionsOptions) {
    this.#options = options;
    this.#demoted = createDemotedNodes({ ...options, takesWrites: (node) => this.#takesWrites(node) });
    const { authentication } = options.endpoint;
    if (authentication.type === "password") this.#password = authentication.password;
  }

  /** Resolves after the first attempt to get a token, if tokens are needed. */
  async start(): Promise<void> {
    const { authentication } = this.#options.endpoint;
    if (authentication.type !== "entra") return;
    this.#rotation = await startTokenRotation({
      ...this.#options,
      credential: authentication.credential,
      scope: authentication.scope,
      onToken: (token) => this.#usePassword(token, authentication.username),
    });
  }

  /** Creates a connection that is not open yet. It reconnects by itself only if it is given a delay. */
  create(
    address: NodeAddress,
    options: { readonly blockMs?: number; readonly retryStrategy?: (attempt: number) => number } = {},
  ): Redis {
    const { blockMs = 0, retryStrategy = () => null } = options;
    const redisOptions: RedisOptions & { replyMapping: "legacy" } = {
      ...nodeOptions(this.#options.endpoint, { password: this.#password, blockMs }),
      ...tlsTo(address.host, this.#options.endpoint),
      host: address.host,
      port: address.port,
      retryStrategy,
      enableOfflineQueue: false,
    };
    const redis = new Redis(redisOptions);
    this.adopt(redis);
    return redis;
  }

  /** Manages a connection that the cluster client has created but not opened yet. */
  adopt(redis: Redis): void {
    const { host = "" } = redis.options;
    if (this.#password !== undefined) redis.options.password = this.#password;
    Object.assign(redis.options, tlsTo(host, this.#options.endpoint));
    redis.options.reconnectOnError = (error) =>
      isReply(error, "READONLY") && this.#demoted.refused(nodeOf(redis), redis, error);
    this.#live.add(redis);
    this.#report(redis);
  }

  /** Stops managing the connection, so that closing it is not logged. */
  forget(redis: Redis): void {
    this.#live.delete(redis);
  }

  close(redis: Redis): void {
    this.forget(redis);
    redis.disconnect();
  }

  closeAll(): void {
    this.#rotation?.close();
    this.#demoted.close();
    for (const redis of this.#live) this.close(redis);
  }

  /** The first connection to a node is the one for commands, on which nothing waits behind a blocking read. */
  async #takesWrites(node: string): Promise<boolean> {
    const open = [...this.#live].find((redis) => nodeOf(redis) === node && redis.status === "ready");
    try {
      const replication = await open?.info("replication");
      return replication !== undefined && !isReplica.test(replication);
    } catch {
      return false; // its loss has a line of its own
    }
  }

  /** Logs one line when a node is lost and one when it is back, not one for each attempt or each connection to it. */
  #report(redis: Redis): void {
    const { logger } = this.#options;
    const node = nodeOf(redis);
    const isNews = (): boolean => this.#live.has(redis) && !this.#lost.has(node) && !this.#demoted.has(node);
    redis.on("error", (error: unknown) => {
      const isLocked = isReply(error, "WRONGPASS") || isReply(error, "NOAUTH");
      if (isLocked) void this.#rotation?.renew();
      if (!isNews() && !(isLocked && this.#live.has(redis) && !this.#locked.has(node))) return;
      this.#lost.add(node);
      if (isLocked) this.#locked.add(node);
      logger.error({ error: toCacheError(error), node }, "the cache connection failed");
    });
    redis.on("close", () => {
      if (!isNews()) return;
      this.#lost.add(node);
      logger.warn({ node }, "the cache connection was lost");
    });
    redis.on("ready", () => {
      this.#locked.delete(node);
      if (this.#lost.delete(node)) logger.info({ node }, "the cache connection is back");
    });
  }

  /** Applies to future connections, including reconnects, and to those that are open now. */
  #usePassword(password: string, username: string): void {
    this.#password = password;
    for (const redis of this.#live) {
      redis.options.password = password;
      if (redis.status === "ready") void this.#authenticate(redis, username, password);
    }
  }

  async #authenticate(redis: Redis, username: string, password: string): Promise<void> {
    try {
      await redis.auth(username, password);
    } catch (error) {
      this.#options.logger.warn({ error }, "a cache connection refused its new token");
      // Reconnecting authenticates with the password that is current then.
      redis.disconnect(true);
    }
  }
}

function nodeOf({ options: { host, port } }: Redis): string {
  return `${host}:${port}`;
}

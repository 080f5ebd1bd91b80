/**
 * The process's connections to Redis: one for commands, which everything shares, and further ones for what occupies a
 * connection (blocking reads, subscriptions). A command fails at once while there is no connection, and is never sent
 * again behind the caller's back: who must not lose a write keeps it (see `BufferedSessionStore`).
 */
import { Redis, type RedisOptions } from "ioredis";
import type { Clock } from "../../platform/clock.ts";
import { VoiceError } from "../../platform/errors.ts";
import type { Logger } from "../../platform/logger.ts";
import type { CacheEndpoint } from "./endpoint.ts";
import { startTokenRotation, type TokenRotation } from "./entra-token.ts";
import { isReply, toCacheError } from "./redis-error.ts";

export interface RedisConnections {
  /** Runs commands on the shared connection; rejects with a `VoiceError`. */
  run<T>(operation: (redis: Redis) => Promise<T>): Promise<T>;
  /** A connection for one purpose, counted against the limit until it is released. It reconnects like the shared one. */
  lease(options?: LeaseOptions): Promise<Lease>;
  readonly isReady: boolean;
  /** Idempotent. Commands under way are given up. */
  close(): Promise<void>;
}

export interface LeaseOptions {
  /** Longest that one of its commands waits on purpose; its time-out is this much longer. */
  readonly blockMs?: number;
}

export interface Lease {
  readonly redis: Redis;
  release(): void;
}

export interface RedisConnectionsOptions {
  readonly endpoint: CacheEndpoint;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random: () => number;
}

const firstReconnectMs = 50;
const lastReconnectMs = 2000;

/** Resolves when the first attempt to connect is over. A server that is away is waited for in the background. */
export async function openRedisConnections(options: RedisConnectionsOptions): Promise<RedisConnections> {
  const connections = new Connections(options);
  await connections.start();
  return connections;
}

class Connections implements RedisConnections {
  readonly #options: RedisConnectionsOptions;
  readonly #open = new Set<Redis>();
  readonly #shared: Redis;
  #password: string | undefined;
  #rotation: TokenRotation | undefined;

  constructor(options: RedisConnectionsOptions) {
    this.#options = options;
    const { authentication } = options.endpoint;
    if (authentication.type === "password") this.#password = authentication.password;
    this.#shared = this.#create(0);
  }

  async start(): Promise<void> {
    const { authentication } = this.#options.endpoint;
    if (authentication.type === "entra")
      this.#rotation = await startTokenRotation({
        ...this.#options,
        credential: authentication.credential,
        onToken: (token) => this.#usePassword(token, authentication.username),
      });
    await this.#connect(this.#shared);
  }

  get isReady(): boolean {
    return this.#shared.status === "ready";
  }

  async run<T>(operation: (redis: Redis) => Promise<T>): Promise<T> {
    try {
      return await operation(this.#shared);
    } catch (error) {
      throw toCacheError(error);
    }
  }

  async lease(options: LeaseOptions = {}): Promise<Lease> {
    if (this.#open.size >= this.#options.endpoint.maxConnections)
      throw new VoiceError("cache_connection_failed", "CACHE_MAX_CONNECTIONS connections are in use");
    const redis = this.#create(options.blockMs ?? 0);
    await this.#connect(redis);
    return {
      redis,
      release: () => {
        this.#open.delete(redis);
        redis.disconnect();
      },
    };
  }

  async close(): Promise<void> {
    this.#rotation?.close();
    for (const redis of this.#open) redis.disconnect();
    this.#open.clear();
  }

  #create(blockMs: number): Redis {
    const redis = new Redis(this.#redisOptions(blockMs));
    this.#open.add(redis);
    this.#report(redis);
    return redis;
  }

  #redisOptions(blockMs: number): RedisOptions & { replyMapping: "legacy" } {
    const { endpoint, random } = this.#options;
    const { authentication, tls } = endpoint;
    const timeoutMs = endpoint.operationTimeoutMs + blockMs;
    return {
      host: endpoint.host,
      port: endpoint.port,
      // RESP3: a subscribed connection can authenticate again, which RESP2 forbids.
      protocol: 3,
      replyMapping: "legacy",
      ...(tls === undefined ? {} : { tls: tls.ca === undefined ? {} : { ca: tls.ca } }),
      ...(authentication.type === "none" ? {} : { username: authentication.username, password: this.#password }),
      lazyConnect: true,
      connectTimeout: endpoint.connectionTimeoutMs,
      // A peer that does not answer does not say goodbye either.
      disconnectTimeout: 100,
      commandTimeout: timeoutMs,
      // A silent peer (a failed-over node, a dead tunnel) is replaced soon after a command on it has timed out.
      socketTimeout: timeoutMs + 1000,
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      // After a failover the old primary answers, and refuses every write; the new one is behind a new connection.
      reconnectOnError: (error) => isReply(error, "READONLY"),
      retryStrategy: (attempt) =>
        Math.min(lastReconnectMs, firstReconnectMs * 2 ** (attempt - 1)) * (1 + 0.2 * random()),
    };
  }

  /** Never rejects: a failure was reported by the connection's `error` event, and ioredis goes on trying. */
  #connect(redis: Redis): Promise<void> {
    return redis.connect().catch(() => undefined);
  }

  /** One line when a connection is lost and one when it is back, not one per attempt. */
  #report(redis: Redis): void {
    const { logger } = this.#options;
    let down = false;
    redis.on("error", (error: unknown) => {
      if (isReply(error, "WRONGPASS") || isReply(error, "NOAUTH")) void this.#rotation?.renew();
      if (down) return;
      down = true;
      logger.error({ error }, "the cache connection failed");
    });
    redis.on("close", () => {
      if (down || !this.#open.has(redis)) return;
      down = true;
      logger.warn({}, "the cache connection was lost");
    });
    redis.on("ready", () => {
      if (down) logger.info({}, "the cache connection is back");
      down = false;
    });
  }

  /** For connections to come, including reconnects, and for those that are open now. */
  #usePassword(password: string, username: string): void {
    this.#password = password;
    for (const redis of this.#open) {
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

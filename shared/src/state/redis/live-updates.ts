import type { Logger } from "../../platform/logger.ts";
import type { LiveUpdate, LiveUpdates, StopWatching, WatchTarget } from "../ports/live-updates.ts";
import type { Lease, RedisConnections } from "./connection.ts";
import type { Keys } from "./keys.ts";
import { toCacheError } from "./redis-error.ts";

type Listener = (update: LiveUpdate) => void;

export interface RedisLiveUpdatesOptions {
  readonly connections: RedisConnections;
  readonly keys: Keys;
  readonly logger: Logger;
}

export class RedisLiveUpdates implements LiveUpdates {
  readonly #options: RedisLiveUpdatesOptions;
  /** By channel, and by the pattern for everything. A channel is subscribed while it has listeners. */
  readonly #listeners = new Map<string, Set<Listener>>();
  #lease: Promise<Lease> | undefined;
  #dropped = 0;

  constructor(options: RedisLiveUpdatesOptions) {
    this.#options = options;
  }

  get droppedCount(): number {
    return this.#dropped;
  }

  publish({ sessionId, text }: LiveUpdate): void {
    const { connections, keys } = this.#options;
    connections
      .run((redis) => redis.publish(keys.liveChannel(sessionId), text))
      .catch(() => {
        this.#dropped += 1;
      });
  }

  async watch(target: WatchTarget, listener: Listener): Promise<StopWatching> {
    const { keys } = this.#options;
    const channel = target === "all" ? `${escapePattern(keys.liveChannelPrefix)}*` : keys.liveChannel(target.sessionId);
    // A wrapper per watcher: the same function may watch twice.
    const own: Listener = (update) => listener(update);
    const stop = async (): Promise<void> => this.#remove(channel, own, target === "all");
    const listeners = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, listeners.add(own));
    try {
      const { redis } = await this.#subscriber();
      // Subscribing twice to one channel is harmless, and its answer means that the subscription stands.
      await (target === "all" ? redis.psubscribe(channel) : redis.subscribe(channel));
    } catch (error) {
      await stop();
      throw toCacheError(error);
    }
    return stop;
  }

  async close(): Promise<void> {
    const lease = this.#lease;
    this.#lease = undefined;
    this.#listeners.clear();
    if (lease === undefined) return;
    (await lease).release();
  }

  /** Commands of one connection stay in order, so that a subscription made while this runs is not undone by it. */
  async #remove(channel: string, listener: Listener, isPattern: boolean): Promise<void> {
    const listeners = this.#listeners.get(channel);
    if (listeners?.delete(listener) !== true || listeners.size > 0) return;
    this.#listeners.delete(channel);
    if (this.#lease === undefined) return;
    const { redis } = await this.#lease;
    try {
      await (isPattern ? redis.punsubscribe(channel) : redis.unsubscribe(channel));
    } catch (error) {
      // Without a connection there is no subscription either; a reconnect would renew it, and its updates go nowhere.
      this.#options.logger.warn({ error }, "a live subscription could not be ended");
    }
  }

  #subscriber(): Promise<Lease> {
    this.#lease ??= this.#openSubscriber();
    return this.#lease;
  }

  async #openSubscriber(): Promise<Lease> {
    try {
      const lease = await this.#options.connections.lease();
      const deliver = (key: string, channel: string, text: string): void => {
        const sessionId = channel.slice(this.#options.keys.liveChannelPrefix.length);
        for (const listener of this.#listeners.get(key) ?? []) listener({ sessionId, text });
      };
      lease.redis.on("message", (channel: string, text: string) => deliver(channel, channel, text));
      lease.redis.on("pmessage", (pattern: string, channel: string, text: string) => deliver(pattern, channel, text));
      return lease;
    } catch (error) {
      this.#lease = undefined;
      throw error;
    }
  }
}

/** Glob characters of a pattern, taken literally. */
function escapePattern(prefix: string): string {
  return prefix.replace(/[*?[\]\\^-]/g, (character) => `\\${character}`);
}

import type { Logger } from "../../platform/logger.ts";
import { LiveListeners, type LiveListener } from "../live-listeners.ts";
import type { LiveUpdate, LiveUpdates, StopWatching, WatchTarget } from "../ports/live-updates.ts";
import type { Lease, RedisConnections } from "./connection.ts";
import type { Keys } from "./keys.ts";
import { toCacheError } from "./redis-error.ts";

export interface RedisLiveUpdatesOptions {
  readonly connections: RedisConnections;
  readonly keys: Keys;
  readonly logger: Logger;
}

export class RedisLiveUpdates implements LiveUpdates {
  readonly #options: RedisLiveUpdatesOptions;
  /** By channel, and by the pattern for everything. A channel is subscribed while it has listeners. */
  readonly #listeners: LiveListeners;
  #lease: Promise<Lease> | undefined;
  #dropped = 0;

  constructor(options: RedisLiveUpdatesOptions) {
    this.#options = options;
    this.#listeners = new LiveListeners(options.logger);
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

  async watch(target: WatchTarget, listener: LiveListener): Promise<StopWatching> {
    const { keys } = this.#options;
    const isPattern = target === "all";
    const channel = isPattern ? `${escapePattern(keys.liveChannelPrefix)}*` : keys.liveChannel(target.sessionId);
    const remove = this.#listeners.add(channel, listener);
    const stop = async (): Promise<void> => {
      if (remove()) await this.#unsubscribe(channel, isPattern);
    };
    try {
      const { redis } = await this.#subscriber();
      // Subscribing twice to one channel is harmless, and its answer means that the subscription stands.
      await (isPattern ? redis.psubscribe(channel) : redis.subscribe(channel));
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
    if (lease !== undefined) (await lease).release();
  }

  /** Commands of one connection stay in order, so that a subscription made while this runs is not undone by it. */
  async #unsubscribe(channel: string, isPattern: boolean): Promise<void> {
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
      const deliver = (topic: string, channel: string, text: string): void => {
        const sessionId = channel.slice(this.#options.keys.liveChannelPrefix.length);
        this.#listeners.deliver(topic, { sessionId, text });
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

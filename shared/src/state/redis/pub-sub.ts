/**
 * Sends messages to the current listeners. A channel belongs to a node as a key does: in a cluster its messages pass
 * through that node alone (sharded pub/sub), and not over the links between all nodes. There is one connection to each
 * node whose channels have listeners. A subscription that is lost with its node, or moves to another node, is renewed,
 * also when nobody says so: a connection whose other end has vanished stays open for hours.
 */
import type { Redis } from "ioredis";
import { growingDelayMs } from "../../platform/backoff.ts";
import type { CancelTimer, Clock } from "../../platform/clock.ts";
import { VoiceError } from "../../platform/errors.ts";
import type { Logger } from "../../platform/logger.ts";
import { pause } from "../../platform/pause.ts";
import type { RedisConnections } from "./connection.ts";
import type { NodeAddress } from "./node-options.ts";
import { toCacheError } from "./redis-error.ts";

export interface ChannelListener {
  onMessage(text: string): void;
  /** Called when a lost subscription has been restored; messages published meanwhile are lost. */
  onRenewed?(): void;
}

interface Subscriber {
  readonly address: NodeAddress;
  readonly redis: Redis;
  readonly opened: Promise<void>;
  stopChecks: CancelTimer;
}

/** The delay between attempts to renew lost subscriptions. */
const renewal = { firstMs: 50, longestMs: 1000 };

export class PubSub {
  readonly #connections: RedisConnections;
  readonly #clock: Clock;
  readonly #logger: Logger;
  /** How often each connection is checked: one that only listens does not notice that nothing can come any more. */
  readonly #checkMs: number;
  /** A channel is subscribed while it has listeners. */
  readonly #listeners = new Map<string, Set<ChannelListener>>();
  readonly #standing = new Map<string, Subscriber>();
  /** Channels whose listeners have not been notified yet that they have missed messages. */
  readonly #lost = new Set<string>();
  readonly #subscribers = new Map<string, Subscriber>();
  #release: (() => void) | undefined;
  #isRenewing = false;
  #isClosed = false;

  constructor(connections: RedisConnections, clock: Clock, logger: Logger, checkMs: number) {
    this.#connections = connections;
    this.#clock = clock;
    this.#logger = logger;
    this.#checkMs = checkMs;
  }

  /** Resolves with the number of connections that received it. */
  async publish(channel: string, text: string): Promise<number> {
    const connections = this.#connections;
    const isSharded = this.publishCommand === "spublish";
    return connections.run(async (redis) =>
      // The client's types do not say what SPUBLISH returns; it returns a number as PUBLISH does.
      Number(await (isSharded ? redis.spublish(channel, text) : redis.publish(channel, text))),
    );
  }

  /** The publish command for scripts. */
  get publishCommand(): "publish" | "spublish" {
    return this.#connections.servers().isCluster ? "spublish" : "publish";
  }

  /** Whether messages on the channel are received, as far as this process knows. */
  isListening(channel: string): boolean {
    return this.#standing.has(channel);
  }

  /** Every message published after this has resolved reaches the listener until the returned function is called. */
  async subscribe(channel: string, listener: ChannelListener): Promise<() => void> {
    // Each subscription gets its own wrapper, because the same listener may subscribe twice.
    const own: ChannelListener = {
      onMessage: (text) => listener.onMessage(text),
      onRenewed: () => listener.onRenewed?.(),
    };
    this.#listeners.set(channel, (this.#listeners.get(channel) ?? new Set()).add(own));
    const stop = (): void => this.#remove(channel, own);
    try {
      await this.#establish(channel);
    } catch (error) {
      stop();
      throw toCacheError(error);
    }
    return stop;
  }

  close(): void {
    this.#isClosed = true;
    this.#listeners.clear();
    for (const subscriber of this.#subscribers.values()) this.#drop(subscriber);
    this.#release?.();
  }

  /** The server's reply confirms the subscription; subscribing twice is harmless. */
  async #establish(channel: string): Promise<void> {
    if (this.#standing.has(channel)) return;
    const connections = this.#connections;
    const servers = connections.servers();
    const subscriber = this.#subscriberAt(await servers.nodeOf(channel));
    await subscriber.opened;
    const { redis } = subscriber;
    await (servers.isCluster ? redis.ssubscribe(channel) : redis.subscribe(channel));
    if (this.#subscribers.get(nameOf(subscriber.address)) !== subscriber)
      throw new VoiceError("cache_connection_failed", "a subscription was lost as soon as it was made");
    this.#standing.set(channel, subscriber);
    if (!this.#listeners.has(channel)) this.#unsubscribe(channel);
    // The subscription may have been restored by the attempts to renew it, or by a new listener in a pause between them.
    if (this.#lost.delete(channel)) for (const listener of this.#listeners.get(channel) ?? []) listener.onRenewed?.();
  }

  #remove(channel: string, own: ChannelListener): void {
    const listeners = this.#listeners.get(channel);
    if (listeners?.delete(own) !== true || listeners.size > 0) return;
    this.#listeners.delete(channel);
    this.#lost.delete(channel);
    this.#unsubscribe(channel);
  }

  /** Commands of one connection are executed in order, so a subscription made while this runs is not undone by it. */
  #unsubscribe(channel: string): void {
    const subscriber = this.#standing.get(channel);
    if (subscriber === undefined) return;
    this.#standing.delete(channel);
    const { redis } = subscriber;
    const { isCluster } = this.#connections.servers();
    // A subscription that cannot be ended goes with its connection, which is dropped.
    (isCluster ? redis.sunsubscribe(channel) : redis.unsubscribe(channel)).catch(() => this.#lose(subscriber));
  }

  #subscriberAt(address: NodeAddress): Subscriber {
    const known = this.#subscribers.get(nameOf(address));
    if (known !== undefined) return known;
    const connections = this.#connections;
    if (this.#release === undefined) {
      this.#release = connections.reserve();
      connections.servers().onLayout(() => this.#followLayout());
    }
    const redis = connections.create(address);
    const subscriber: Subscriber = { address, redis, opened: redis.connect(), stopChecks: () => undefined };
    this.#subscribers.set(nameOf(address), subscriber);
    const deliver = (channel: string, text: string): void => this.#deliver(channel, text);
    redis.on("message", deliver);
    redis.on("smessage", deliver);
    // The node reports that a slot and its channels have moved to another node.
    redis.on("moved", () => this.#lose(subscriber));
    redis.on("close", () => this.#lose(subscriber));
    // A connection that is being opened has limits of its own, and answers nothing yet. One that fails is closed.
    void subscriber.opened.then(
      () => this.#checkLater(subscriber),
      () => undefined,
    );
    return subscriber;
  }

  #checkLater(subscriber: Subscriber): void {
    const clock = this.#clock;
    const checkMs = this.#checkMs;
    if (this.#subscribers.get(nameOf(subscriber.address)) !== subscriber) return;
    subscriber.stopChecks = clock.setTimer(checkMs, () => void this.#check(subscriber));
  }

  async #check(subscriber: Subscriber): Promise<void> {
    try {
      await subscriber.redis.ping();
    } catch {
      // The subscription has timed out, or the connection was just lost. Either way, the cluster is asked again which node serves the
      // channels.
      this.#lose(subscriber);
      return;
    }
    this.#checkLater(subscriber);
  }

  #deliver(channel: string, text: string): void {
    for (const listener of this.#listeners.get(channel) ?? []) {
      try {
        listener.onMessage(text);
      } catch (error) {
        this.#logger.warn({ error }, "a listener to messages failed");
      }
    }
  }

  /** Needed because a node that is frozen, or was demoted, does not report that another has replaced it. */
  #followLayout(): void {
    const servers = this.#connections.servers();
    const moved = [...this.#standing].filter(([channel, { address }]) => !servers.isServedBy(channel, address));
    for (const subscriber of new Set(moved.map(([, subscriber]) => subscriber))) this.#lose(subscriber);
  }

  #lose(subscriber: Subscriber): void {
    this.#drop(subscriber);
    void this.#renew();
  }

  #drop(subscriber: Subscriber): void {
    const name = nameOf(subscriber.address);
    if (this.#subscribers.get(name) !== subscriber) return;
    this.#subscribers.delete(name);
    subscriber.stopChecks();
    for (const [channel, standing] of this.#standing) {
      if (standing !== subscriber) continue;
      this.#standing.delete(channel);
      if (this.#listeners.has(channel)) this.#lost.add(channel);
    }
    this.#connections.close(subscriber.redis);
  }

  async #renew(): Promise<void> {
    if (this.#isRenewing) return;
    this.#isRenewing = true;
    for (let attempt = 0; !this.#isClosed; attempt += 1) {
      const missing = [...this.#listeners.keys()].filter((channel) => !this.#standing.has(channel));
      if (missing.length === 0) break;
      await Promise.all(missing.map((channel) => this.#renewOne(channel)));
      if (missing.some((channel) => !this.#standing.has(channel)))
        await pause(this.#clock, growingDelayMs(attempt, renewal));
    }
    this.#isRenewing = false;
  }

  async #renewOne(channel: string): Promise<void> {
    try {
      await this.#establish(channel);
    } catch {
      // The loss of the node is already in the log, and another attempt follows.
    }
  }
}

function nameOf({ host, port }: NodeAddress): string {
  return `${host}:${port}`;
}

/**
 * Live updates by pub/sub. Sharded channels cannot be subscribed to by pattern, so nobody could listen to everything if
 * each session had a channel of its own. Sessions therefore share a fixed number of channels, which are spread over the
 * nodes. A watcher of everything listens to all channels; a watcher of one session also receives updates of other
 * sessions on its channel, and drops them. Nothing is published on a channel that is known to have no listeners (`KnownWatchers`).
 */
import { createHash } from "node:crypto";
import type { Clock } from "../../platform/clock.ts";
import { RecentlyUsed } from "../../platform/recently-used.ts";
import type { LiveUpdate, LiveUpdates, StopWatching, WatchTarget } from "../ports/live-updates.ts";
import type { Keys } from "./keys.ts";
import { everyChannel, KnownWatchers } from "./known-watchers.ts";
import type { PubSub } from "./pub-sub.ts";
import { toCacheError } from "./redis-error.ts";

/** Enough that a watcher of one session receives few updates of others, and few enough to listen to all of them. */
const channelCount = 64;

/**
 * How many sessions' channels are cached: a session publishes several times a second, and a host has a few hundred
 * sessions.
 */
const keptSessions = 1000;

/**
 * Stands between the update and what precedes it, a session id and its owner; those are encoded and cannot contain it.
 */
const separator = "\n";
const ownerSeparator = " ";

export class RedisLiveUpdates implements LiveUpdates {
  readonly #pubSub: PubSub;
  readonly #channels: readonly string[];
  readonly #channelsOfSessions = new RecentlyUsed<string>(keptSessions);
  readonly #announcements: string;
  readonly #watchers: KnownWatchers;
  #dropped = 0;

  constructor(pubSub: PubSub, keys: Keys, clock: Clock) {
    this.#pubSub = pubSub;
    this.#announcements = keys.liveWatchers;
    this.#watchers = new KnownWatchers(clock, {
      listen: (listener) => pubSub.subscribe(keys.liveWatchers, listener),
    });
    this.#channels = Array.from({ length: channelCount }, (_, number) => keys.liveChannel(number));
  }

  get droppedCount(): number {
    return this.#dropped;
  }

  publish({ sessionId, owner, text }: LiveUpdate): void {
    const channel = this.#channelOf(sessionId);
    if (!this.#watchers.isWatched(channel)) return;
    const names = [sessionId, ...(owner === undefined ? [] : [owner])].map(encodeURIComponent);
    const message = `${names.join(ownerSeparator)}${separator}${text}`;
    void this.#send(channel, message);
  }

  async #send(channel: string, message: string): Promise<void> {
    const learn = this.#watchers.publishing(channel);
    try {
      learn(await this.#pubSub.publish(channel, message));
    } catch {
      this.#dropped += 1;
    }
  }

  isWatched(sessionId: string): boolean {
    return this.#watchers.isWatched(this.#channelOf(sessionId));
  }

  async watch(target: WatchTarget, listener: (update: LiveUpdate) => void): Promise<StopWatching> {
    const channels = target === "all" ? this.#channels : [this.#channelOf(target.sessionId)];
    const onMessage = (message: string): void => {
      const end = message.indexOf(separator);
      const [sessionId = "", owner] = message.slice(0, end).split(ownerSeparator).map(decodeURIComponent);
      if (target !== "all" && target.sessionId !== sessionId) return;
      const text = message.slice(end + separator.length);
      listener(owner === undefined ? { sessionId, text } : { sessionId, owner, text });
    };
    // Messages that nobody received while a subscription was lost have made publishers believe that nobody listens.
    const subscribe = (channel: string): Promise<() => void> =>
      this.#pubSub.subscribe(channel, {
        onMessage,
        onRenewed: () => void this.#announce(channel).catch(() => undefined),
      });
    const made = await Promise.allSettled(channels.map(subscribe));
    const stop: StopWatching = async () => {
      for (const one of made) if (one.status === "fulfilled") one.value();
    };
    try {
      for (const one of made) if (one.status === "rejected") throw one.reason;
      await this.#announce(target === "all" ? everyChannel : this.#channelOf(target.sessionId));
      return stop;
    } catch (error) {
      await stop();
      throw toCacheError(error);
    }
  }

  async #announce(channel: string): Promise<void> {
    this.#watchers.announced(channel === everyChannel ? undefined : channel);
    await this.#pubSub.publish(this.#announcements, channel);
  }

  /** The connections belong to `PubSub`, which its owner closes. */
  async close(): Promise<void> {}

  #channelOf(sessionId: string): string {
    const known = this.#channelsOfSessions.get(sessionId);
    if (known !== undefined) return known;
    const number = createHash("sha1").update(sessionId).digest().readUInt16BE() % channelCount;
    const channel = this.#channels[number] ?? "";
    this.#channelsOfSessions.set(sessionId, channel, 1);
    return channel;
  }
}

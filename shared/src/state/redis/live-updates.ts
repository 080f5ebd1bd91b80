/**
 * Live updates by pub/sub. Sharded channels cannot be subscribed to by pattern, so nobody could listen to everything if
 * each session had a channel of its own. Sessions therefore share a fixed number of channels, which are spread over the
 * nodes. A watcher of everything listens to all channels; a watcher of one session also receives updates of other
 * sessions on its channel, and drops them.
 */
import { createHash } from "node:crypto";
import { RecentlyUsed } from "../../platform/recently-used.ts";
import type { LiveListener } from "../live-listeners.ts";
import type { LiveUpdate, LiveUpdates, StopWatching, WatchTarget } from "../ports/live-updates.ts";
import type { Keys } from "./keys.ts";
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
  /** Sessions whose latest update reached no listener. */
  readonly #unwatched = new Set<string>();
  #dropped = 0;

  constructor(pubSub: PubSub, keys: Keys) {
    this.#pubSub = pubSub;
    this.#channels = Array.from({ length: channelCount }, (_, number) => keys.liveChannel(number));
  }

  get droppedCount(): number {
    return this.#dropped;
  }

  publish({ sessionId, owner, text }: LiveUpdate): void {
    const names = [sessionId, ...(owner === undefined ? [] : [owner])].map(encodeURIComponent);
    const message = `${names.join(ownerSeparator)}${separator}${text}`;
    void this.#send(this.#channelOf(sessionId), message);
  }

  async #send(channel: string, message: string): Promise<void> {
    try {
      const receivers = await this.#pubSub.publish(channel, message);
      if (receivers === 0) this.#unwatched.add(channel);
      else this.#unwatched.delete(channel);
    } catch {
      this.#dropped += 1;
    }
  }

  isWatched(sessionId: string): boolean {
    return !this.#unwatched.has(this.#channelOf(sessionId));
  }

  async watch(target: WatchTarget, listener: LiveListener): Promise<StopWatching> {
    const channels = target === "all" ? this.#channels : [this.#channelOf(target.sessionId)];
    const onMessage = (message: string): void => {
      const end = message.indexOf(separator);
      const [sessionId = "", owner] = message.slice(0, end).split(ownerSeparator).map(decodeURIComponent);
      if (target !== "all" && target.sessionId !== sessionId) return;
      const text = message.slice(end + separator.length);
      listener(owner === undefined ? { sessionId, text } : { sessionId, owner, text });
    };
    const made = await Promise.allSettled(channels.map((channel) => this.#pubSub.subscribe(channel, { onMessage })));
    const stop: StopWatching = async () => {
      for (const one of made) if (one.status === "fulfilled") one.value();
    };
    const failed = made.find((one) => one.status === "rejected");
    if (failed === undefined) return stop;
    await stop();
    throw toCacheError(failed.reason);
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

/**
 * Live updates by pub/sub. Sharded channels cannot be subscribed to by pattern, so nobody could listen to everything if
 * each session had a channel of its own. Sessions therefore share a fixed number of channels, which are spread over the
 * nodes. A watcher of everything listens to all channels; a watcher of one session also receives updates of other
 * sessions on its channel, and drops them. Nothing is published on a channel that is known to have no listeners (`KnownWatchers`).
 */
import { createHash } from "node:crypto";
import type { Clock } from "../../platform/clock.ts";
import { RecentlyUsed } from "../../platform/recently-used.ts";
import type { LiveUpdate, LiveUpdates, StopWatching } from "../ports/live-updates.ts";
import type { Keys } from "./keys.ts";
import { createKnownWatchers, everyChannel } from "./known-watchers.ts";
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

/** The connections belong to `PubSub`, which its owner closes. */
export function createRedisLiveUpdates(pubSub: PubSub, keys: Keys, clock: Clock): LiveUpdates {
  const channels = Array.from({ length: channelCount }, (_, number) => keys.liveChannel(number));
  const channelsOfSessions = new RecentlyUsed<string>(keptSessions);
  const watchers = createKnownWatchers(clock, (listener) => pubSub.subscribe(keys.liveWatchers, listener));
  let dropped = 0;
  const channelOf = (sessionId: string): string => {
    const known = channelsOfSessions.get(sessionId);
    if (known !== undefined) return known;
    const number = createHash("sha1").update(sessionId).digest().readUInt16BE() % channelCount;
    const channel = channels[number] ?? "";
    channelsOfSessions.set(sessionId, channel, 1);
    return channel;
  };
  const announce = async (channel: string): Promise<void> => {
    watchers.announced(channel === everyChannel ? undefined : channel);
    await pubSub.publish(keys.liveWatchers, channel);
  };
  const send = async (channel: string, message: string): Promise<void> => {
    const learn = watchers.publishing(channel);
    try {
      learn(await pubSub.publish(channel, message));
    } catch {
      dropped += 1;
    }
  };
  return {
    get droppedCount() {
      return dropped;
    },
    publish({ sessionId, owner, text }) {
      const channel = channelOf(sessionId);
      if (!watchers.isWatched(channel)) return;
      const names = [sessionId, ...(owner === undefined ? [] : [owner])].map(encodeURIComponent);
      void send(channel, `${names.join(ownerSeparator)}${separator}${text}`);
    },
    isWatched: (sessionId) => watchers.isWatched(channelOf(sessionId)),
    async watch(target, listener) {
      const onMessage = (message: string): void => {
        const update = readUpdate(message);
        if (target === "all" || target.sessionId === update.sessionId) listener(update);
      };
      // Messages that nobody received while a subscription was lost have made publishers believe that nobody listens.
      const subscribe = (channel: string): Promise<() => void> =>
        pubSub.subscribe(channel, { onMessage, onRenewed: () => void announce(channel).catch(() => undefined) });
      const watched = target === "all" ? channels : [channelOf(target.sessionId)];
      const made = await Promise.allSettled(watched.map(subscribe));
      const stop: StopWatching = async () => {
        for (const one of made) if (one.status === "fulfilled") one.value();
      };
      try {
        for (const one of made) if (one.status === "rejected") throw one.reason;
        await announce(target === "all" ? everyChannel : channelOf(target.sessionId));
        return stop;
      } catch (error) {
        await stop();
        throw toCacheError(error);
      }
    },
  };
}

function readUpdate(message: string): LiveUpdate {
  const end = message.indexOf(separator);
  const [sessionId = "", owner] = message.slice(0, end).split(ownerSeparator).map(decodeURIComponent);
  const text = message.slice(end + separator.length);
  return owner === undefined ? { sessionId, text } : { sessionId, owner, text };
}

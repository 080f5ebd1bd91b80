/**
 * Which channels somebody listens to, as far as this process knows: nine tenths of what a conversation publishes was for nobody. A watcher
 * announces itself on a channel of its own, and the server says of each message how many have received it. Without the announcements (not
 * subscribed yet, or the connection was lost) every channel counts as watched.
 */
import type { Clock } from "../../platform/clock.ts";
import type { ChannelListener } from "./pub-sub.ts";

/**
 * How long a channel counts as having no listeners. After that, one message is published to find out, for watchers of older versions,
 * which do not announce themselves.
 */
const unwatchedMs = 30_000;
const retryMs = 5_000;

export type KnownWatchers = ReturnType<typeof createKnownWatchers>;

/** `listen`: to the announcements. Rejects if nothing can be received. */
export function createKnownWatchers(clock: Clock, listen: (listener: ChannelListener) => Promise<unknown>) {
  const unwatchedUntilMs = new Map<string, number>();
  /** Grows with each announcement: what was published before one says nothing of the time after it. */
  let announcements = 0;
  let isListening = false;
  let nextAttemptMs = Number.NEGATIVE_INFINITY;
  const setUnwatched = (channel: string): void => void unwatchedUntilMs.set(channel, clock.now() + unwatchedMs);
  /** Undefined: any channel. */
  const announced = (channel: string | undefined): void => {
    announcements += 1;
    if (channel === undefined) unwatchedUntilMs.clear();
    else unwatchedUntilMs.delete(channel);
  };
  const listener: ChannelListener = {
    onMessage: (channel) => announced(channel === everyChannel ? undefined : channel),
    onRenewed: () => announced(undefined),
  };
  /** Starts with the first message, so that an unused process needs nothing of the store. */
  const start = (): void => {
    if (isListening || clock.now() < nextAttemptMs) return;
    nextAttemptMs = clock.now() + retryMs;
    listen(listener).then(
      () => (isListening = true),
      () => undefined, // tried again with a later message; until then everything is published
    );
  };
  return {
    announced,
    isWatched: (channel: string): boolean => clock.now() >= (unwatchedUntilMs.get(channel) ?? Number.NEGATIVE_INFINITY),
    /** For a message that is about to be published. Returns what to do with the number of those who have received it. */
    publishing(channel: string): (receivers: number) => void {
      start();
      const before = announcements;
      // One message finds out whether it is still so, and not all of the same moment.
      if (unwatchedUntilMs.has(channel)) setUnwatched(channel);
      return (receivers) => {
        if (receivers > 0) unwatchedUntilMs.delete(channel);
        else if (before === announcements && isListening) setUnwatched(channel);
      };
    },
  };
}

/** The announcement of somebody who listens to all of them. */
export const everyChannel = "*";

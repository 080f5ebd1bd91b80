import type { Logger } from "../../platform/logger.ts";
import type { LiveUpdate, LiveUpdates } from "../ports/live-updates.ts";
import { Listeners } from "./listeners.ts";

const everything = "all";

export function createMemoryLiveUpdates(logger: Logger): LiveUpdates {
  const listeners = new Listeners<LiveUpdate>((error, { sessionId }) =>
    logger.warn({ error, sessionId }, "a watcher of live updates failed"),
  );
  return {
    droppedCount: 0,
    publish(update) {
      listeners.deliver(everything, update);
      listeners.deliver(topicOf(update), update);
    },
    isWatched: (sessionId) => listeners.has(everything) || listeners.has(topicOf({ sessionId })),
    async watch(target, listener) {
      const remove = listeners.add(target === "all" ? everything : topicOf(target), listener);
      return async () => remove();
    },
  };
}

function topicOf({ sessionId }: { readonly sessionId: string }): string {
  return `session:${sessionId}`;
}

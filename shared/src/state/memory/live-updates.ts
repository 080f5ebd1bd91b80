import type { Logger } from "../../platform/logger.ts";
import { LiveListeners, type LiveListener } from "../live-listeners.ts";
import type { LiveUpdate, LiveUpdates, StopWatching, WatchTarget } from "../ports/live-updates.ts";

const everything = "all";

export class MemoryLiveUpdates implements LiveUpdates {
  readonly droppedCount = 0;
  readonly #listeners: LiveListeners;

  constructor(logger: Logger) {
    this.#listeners = new LiveListeners(logger);
  }

  publish(update: LiveUpdate): void {
    this.#listeners.deliver(everything, update);
    this.#listeners.deliver(topicOf(update), update);
  }

  isWatched(sessionId: string): boolean {
    return this.#listeners.has(everything) || this.#listeners.has(topicOf({ sessionId }));
  }

  async watch(target: WatchTarget, listener: LiveListener): Promise<StopWatching> {
    const remove = this.#listeners.add(target === "all" ? everything : topicOf(target), listener);
    return async () => {
      remove();
    };
  }

  async close(): Promise<void> {
    this.#listeners.clear();
  }
}

function topicOf({ sessionId }: { readonly sessionId: string }): string {
  return `session:${sessionId}`;
}

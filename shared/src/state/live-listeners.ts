/** Listeners by topic. A listener that throws disturbs neither the others nor the publisher. */
import type { Logger } from "../platform/logger.ts";
import type { LiveUpdate } from "./ports/live-updates.ts";

export type LiveListener = (update: LiveUpdate) => void;

export class LiveListeners {
  readonly #logger: Logger;
  readonly #byTopic = new Map<string, Set<LiveListener>>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** The teardown returns true if it removed the topic's last listener; a second call does nothing. */
  add(topic: string, listener: LiveListener): () => boolean {
    // A wrapper per listener, because the same function may be added twice.
    const own: LiveListener = (update) => listener(update);
    const listeners = this.#byTopic.get(topic) ?? new Set();
    this.#byTopic.set(topic, listeners.add(own));
    return () => {
      if (!listeners.delete(own) || listeners.size > 0) return false;
      this.#byTopic.delete(topic);
      return true;
    };
  }

  has(topic: string): boolean {
    return this.#byTopic.has(topic);
  }

  deliver(topic: string, update: LiveUpdate): void {
    for (const listener of this.#byTopic.get(topic) ?? []) {
      try {
        listener(update);
      } catch (error) {
        this.#logger.warn({ error, sessionId: update.sessionId }, "a watcher of live updates failed");
      }
    }
  }

  clear(): void {
    this.#byTopic.clear();
  }
}

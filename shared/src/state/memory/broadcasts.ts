import type { Logger } from "../../platform/logger.ts";
import type { Broadcasts, StopListening } from "../ports/broadcasts.ts";

type Listener = (text: string) => void;

export class MemoryBroadcasts implements Broadcasts {
  readonly #logger: Logger;
  readonly #listeners = new Map<string, Set<Listener>>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  send(topic: string, text: string): void {
    for (const listener of this.#listeners.get(topic) ?? []) {
      try {
        listener(text);
      } catch (error) {
        this.#logger.warn({ error }, "a listener to broadcasts failed");
      }
    }
  }

  async listen(topic: string, listener: Listener): Promise<StopListening> {
    // A wrapper per listener: the same function may listen twice.
    const own: Listener = (text) => listener(text);
    const listeners = (this.#listeners.get(topic) ?? new Set()).add(own);
    this.#listeners.set(topic, listeners);
    return () => {
      if (listeners.delete(own) && listeners.size === 0) this.#listeners.delete(topic);
    };
  }
}

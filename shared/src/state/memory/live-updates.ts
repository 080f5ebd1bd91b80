import type { LiveUpdate, LiveUpdates, StopWatching, WatchTarget } from "../ports/live-updates.ts";

type Listener = (update: LiveUpdate) => void;

export class MemoryLiveUpdates implements LiveUpdates {
  readonly droppedCount = 0;
  readonly #everything = new Set<Listener>();
  readonly #bySession = new Map<string, Set<Listener>>();

  publish(update: LiveUpdate): void {
    for (const listener of this.#everything) listener(update);
    for (const listener of this.#bySession.get(update.sessionId) ?? []) listener(update);
  }

  async watch(target: WatchTarget, listener: Listener): Promise<StopWatching> {
    // A wrapper per watcher: the same function may watch twice.
    const own: Listener = (update) => listener(update);
    const listeners = target === "all" ? this.#everything : this.#listenersOf(target.sessionId);
    listeners.add(own);
    return async () => {
      listeners.delete(own);
      if (target === "all" || listeners.size > 0) return;
      if (this.#bySession.get(target.sessionId) === listeners) this.#bySession.delete(target.sessionId);
    };
  }

  async close(): Promise<void> {
    this.#everything.clear();
    this.#bySession.clear();
  }

  #listenersOf(sessionId: string): Set<Listener> {
    const existing = this.#bySession.get(sessionId);
    if (existing !== undefined) return existing;
    const created = new Set<Listener>();
    this.#bySession.set(sessionId, created);
    return created;
  }
}

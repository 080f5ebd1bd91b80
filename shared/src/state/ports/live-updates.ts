/**
 * Live updates for dashboards. Nothing is stored. Updates are the JSON text of a server message, because all receivers
 * only forward it.
 */

export interface LiveUpdate {
  readonly sessionId: string;
  /** The session's owner; absent if it belongs to the operators. */
  readonly owner?: string | undefined;
  /** One server message as JSON. */
  readonly text: string;
}

/** One session, or everything. */
export type WatchTarget = { readonly sessionId: string } | "all";

export type StopWatching = () => Promise<void>;

export interface LiveUpdates {
  /**
   * Fire and forget: never throws, never waits; dropped (and counted) while the store is unreachable. Goes nowhere while nobody is known to
   * watch.
   */
  publish(update: LiveUpdate): void;
  /** Whether somebody may be watching this session; true as long as that is not known. It tells whether frequent updates are worth making. */
  isWatched(sessionId: string): boolean;
  /**
   * Every update published after this resolved reaches the listener, in order per session; one of another process as soon as that has
   * received a message, which says that there is a watcher. A listener that throws is logged.
   */
  watch(target: WatchTarget, listener: (update: LiveUpdate) => void): Promise<StopWatching>;
  /** Updates that could not be published. */
  readonly droppedCount: number;
}

/**
 * What dashboards watch while it happens. Nothing is kept: who is not watching misses it. Updates travel as the JSON text
 * of a server message, because every receiver only passes it on.
 */

export interface LiveUpdate {
  readonly sessionId: string;
  /** Whose session it is; absent: the operators'. */
  readonly owner?: string | undefined;
  /** One server message as JSON. */
  readonly text: string;
}

/** One session, or everything. */
export type WatchTarget = { readonly sessionId: string } | "all";

export type StopWatching = () => Promise<void>;

export interface LiveUpdates {
  /** Fire and forget: never throws, never waits; dropped (and counted) while the store is unreachable. */
  publish(update: LiveUpdate): void;
  /**
   * Whether somebody may watch this session, as far as the answers to earlier updates show it; true before the first. It says
   * what is worth publishing often. Who begins to watch is noticed with the next update.
   */
  isWatched(sessionId: string): boolean;
  /** Every update published after this resolved reaches the listener, in order per session. A listener that throws is logged. */
  watch(target: WatchTarget, listener: (update: LiveUpdate) => void): Promise<StopWatching>;
  /** Updates that could not be published. */
  readonly droppedCount: number;
  close(): Promise<void>;
}

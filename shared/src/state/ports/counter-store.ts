/**
 * Counts how often something was done within a time span, and how many do something at the same time, across all hosts, so
 * that a new socket or session does not reset the count.
 */

export interface Count {
  readonly count: number;
  /** When the count is reset. */
  readonly endsInMs: number;
}

export interface CounterStore {
  /**
   * Increments and returns the count. Simultaneous increments get different numbers. The count expires `lifeSpanMs`
   * after the first.
   */
  add(key: string, lifeSpanMs: number): Promise<Count>;
  /** Resets the count. */
  clear(key: string): Promise<void>;
  /**
   * Whether the holder is one of those who do it now: it was already, or there were fewer than the limit. Simultaneous requests
   * never exceed the limit. A holder that is not released is forgotten after `lifeSpanMs`.
   */
  hold(key: string, holder: string, bounds: { readonly limit: number; readonly lifeSpanMs: number }): Promise<boolean>;
  holders(key: string): Promise<readonly string[]>;
  release(key: string, holders: readonly string[]): Promise<void>;
}

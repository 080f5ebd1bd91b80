/**
 * Counts how often something was done within a time span, across all hosts, so that a new socket or session does not
 * reset the count.
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
}

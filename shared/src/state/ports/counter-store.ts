/** How often something was done within a span, counted on all hosts together: a new socket or session does not begin anew. */

export interface Count {
  readonly count: number;
  /** When counting begins anew. */
  readonly endsInMs: number;
}

export interface CounterStore {
  /**
   * Counts one more, before it is judged: of any number of simultaneous ones each has a number of its own. The count ends
   * `lifeSpanMs` after the first.
   */
  add(key: string, lifeSpanMs: number): Promise<Count>;
  /** Begins anew. */
  clear(key: string): Promise<void>;
}

/** Tries at something secret, counted on all hosts together: neither a new socket nor a new session begins them anew. */

export interface AttemptStore {
  /**
   * Counts one more, before it is judged: of any number of simultaneous tries each has a number of its own. The count ends
   * `lifeSpanMs` after its first try.
   */
  add(key: string, lifeSpanMs: number): Promise<number>;
  /** One was right. */
  clear(key: string): Promise<void>;
}

/**
 * Small records, each under a key of its own, which end by themselves. What a record is (its key, its schema, its rules) is
 * defined once, in `records/`; a store implements only this.
 */
export interface Count {
  readonly count: number;
  /** When the count is reset. */
  readonly endsInMs: number;
}

export interface KeyedRecords {
  get(key: string): Promise<string | undefined>;
  getBytes(key: string): Promise<Uint8Array | undefined>;
  put(key: string, value: string | Uint8Array, lifeSpanMs: number): Promise<void>;
  /** Resolves to what is there already; to undefined where nothing was, and the value is there now. */
  putIfAbsent(key: string, value: string, lifeSpanMs: number): Promise<string | undefined>;
  /** Replaces exactly this value, and leaves the life span as it is. */
  swap(key: string, current: string, next: string): Promise<"swapped" | "changed" | "gone">;
  /** Reads and deletes: exactly one of any number of simultaneous calls gets the value. */
  take(key: string): Promise<string | undefined>;
  /** Counts from 0, in whole numbers. Simultaneous increments get different numbers. The count ends `lifeSpanMs` after the first. */
  increment(key: string, lifeSpanMs: number, by: number): Promise<Count>;
  delete(key: string): Promise<void>;
}

/**
 * Counts how often something was done within a time span, and how many do something at the same time, across all hosts, so
 * that a new socket or session does not reset the count.
 */
import type { Holders } from "../ports/holders.ts";
import type { Count, KeyedRecords } from "../ports/keyed-records.ts";

export interface CounterStore {
  /**
   * Increments, by 1 if it is not said, and returns the count. Simultaneous increments get different numbers. The count expires
   * `lifeSpanMs` after the first.
   */
  add(key: string, lifeSpanMs: number, by?: number): Promise<Count>;
  /** Resets the count. */
  clear(key: string): Promise<void>;
  /**
   * Whether the holder is one of those who do it now: it was already, or there were fewer than the limit. Simultaneous requests
   * never exceed the limit. A holder that is not released is forgotten `lifeSpanMs` after it was held last.
   */
  hold(key: string, holder: string, bounds: { readonly limit: number; readonly lifeSpanMs: number }): Promise<boolean>;
  holders(key: string): Promise<readonly string[]>;
  release(key: string, holders: readonly string[]): Promise<void>;
}

export function createCounterStore(records: KeyedRecords, holders: Holders): CounterStore {
  const counterOf = (key: string): string => `counter:${encodeURIComponent(key)}`;
  const heldOf = (key: string): string => `held:${encodeURIComponent(key)}`;
  return {
    add: (key, lifeSpanMs, by = 1) => records.increment(counterOf(key), lifeSpanMs, by),
    clear: (key) => records.delete(counterOf(key)),
    hold: (key, holder, { limit, lifeSpanMs }) => holders.hold(heldOf(key), holder, { limit, forMs: lifeSpanMs }),
    holders: (key) => holders.of(heldOf(key)),
    release: (key, gone) => holders.release(heldOf(key), gone),
  };
}

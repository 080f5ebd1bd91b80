/**
 * Counts how often something was done within a time span, and how many do something at the same time, across all hosts, so
 * that a new socket or session does not reset the count.
 */
import type { HoldBounds, Holders } from "../ports/holders.ts";
import type { KeyedRecords } from "../ports/keyed-records.ts";

export type CounterStore = ReturnType<typeof createCounterStore>;

export function createCounterStore(records: KeyedRecords, holders: Holders) {
  const counterOf = (key: string): string => `counter:${encodeURIComponent(key)}`;
  const heldOf = (key: string): string => `held:${encodeURIComponent(key)}`;
  return {
    /**
     * Increments, by 1 if it is not said, and returns the count. Simultaneous increments get different numbers. The count expires
     * `lifeSpanMs` after the first.
     */
    add: (key: string, lifeSpanMs: number, by = 1) => records.increment(counterOf(key), lifeSpanMs, by),
    /** Resets the count. */
    clear: (key: string) => records.delete(counterOf(key)),
    /**
     * Whether the holder is one of those who do it now: it was already, or there were fewer than the limit. Simultaneous requests
     * never exceed the limit. A holder that is not released is forgotten `forMs` after it was held last.
     */
    hold: (key: string, holder: string, bounds: HoldBounds) => holders.hold(heldOf(key), holder, bounds),
    holders: (key: string) => holders.of(heldOf(key)),
    release: (key: string, gone: readonly string[]) => holders.release(heldOf(key), gone),
  };
}

/** A map whose entries end, on an injected clock, as keys with a TTL do. */
import type { Clock } from "../../platform/clock.ts";

interface Entry<V> {
  readonly value: V;
  readonly expiresAtMs: number;
}

/** Expired entries are invisible at once; this is how often a write clears them away. */
const sweepPeriodMs = 60_000;

export class ExpiringMap<V> {
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry<V>>();
  #nextSweepMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.expiresAtMs > this.#clock.wallNow()) return entry.value;
    this.#entries.delete(key);
    return undefined;
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  set(key: string, value: V, lifeSpanMs: number): void {
    const now = this.#clock.wallNow();
    if (now >= this.#nextSweepMs) this.#sweep(now);
    this.#entries.set(key, { value, expiresAtMs: now + lifeSpanMs });
  }

  /** Leaves the life span as it is. */
  replace(key: string, value: V): void {
    const entry = this.#entries.get(key);
    if (entry !== undefined) this.#entries.set(key, { ...entry, value });
  }

  /** Gives the entry a new life span, if there is one. */
  renew(key: string, lifeSpanMs: number): void {
    const value = this.get(key);
    if (value !== undefined) this.set(key, value, lifeSpanMs);
  }

  delete(key: string): boolean {
    const existed = this.has(key);
    this.#entries.delete(key);
    return existed;
  }

  /** Living values in order of insertion. */
  values(): V[] {
    const now = this.#clock.wallNow();
    return [...this.#entries.values()].filter((entry) => entry.expiresAtMs > now).map((entry) => entry.value);
  }

  /** Entries held, expired ones included; for tests of the bound. */
  get size(): number {
    return this.#entries.size;
  }

  #sweep(now: number): void {
    for (const [key, entry] of this.#entries) if (entry.expiresAtMs <= now) this.#entries.delete(key);
    this.#nextSweepMs = now + sweepPeriodMs;
  }
}

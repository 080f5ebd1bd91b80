import type { Clock } from "../../platform/clock.ts";
import type { Count, CounterStore } from "../ports/counter-store.ts";
import { ExpiringMap } from "./expiring-map.ts";

export class MemoryCounterStore implements CounterStore {
  readonly #clock: Clock;
  readonly #counts: ExpiringMap<{ count: number; readonly endsAtMs: number }>;
  /** By key: until when each holder holds it. */
  readonly #held = new Map<string, Map<string, number>>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#counts = new ExpiringMap(clock);
  }

  async add(key: string, lifeSpanMs: number): Promise<Count> {
    const nowMs = this.#clock.now();
    const known = this.#counts.get(key);
    if (known !== undefined) return { count: ++known.count, endsInMs: known.endsAtMs - nowMs };
    this.#counts.set(key, { count: 1, endsAtMs: nowMs + lifeSpanMs }, lifeSpanMs);
    return { count: 1, endsInMs: lifeSpanMs };
  }

  async clear(key: string): Promise<void> {
    this.#counts.delete(key);
  }

  async hold(
    key: string,
    holder: string,
    { limit, lifeSpanMs }: { readonly limit: number; readonly lifeSpanMs: number },
  ): Promise<boolean> {
    const held = this.#heldNow(key);
    if (held.has(holder)) return true;
    if (held.size >= limit) return false;
    held.set(holder, this.#clock.now() + lifeSpanMs);
    this.#held.set(key, held);
    return true;
  }

  async holders(key: string): Promise<readonly string[]> {
    return [...this.#heldNow(key).keys()];
  }

  async release(key: string, holders: readonly string[]): Promise<void> {
    const held = this.#heldNow(key);
    for (const holder of holders) held.delete(holder);
    if (held.size === 0) this.#held.delete(key);
    else this.#held.set(key, held);
  }

  #heldNow(key: string): Map<string, number> {
    const nowMs = this.#clock.now();
    return new Map([...(this.#held.get(key) ?? [])].filter(([, untilMs]) => untilMs > nowMs));
  }
}

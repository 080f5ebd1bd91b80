import type { Clock } from "../../platform/clock.ts";
import type { Count, CounterStore } from "../ports/counter-store.ts";
import { ExpiringMap } from "./expiring-map.ts";

export class MemoryCounterStore implements CounterStore {
  readonly #clock: Clock;
  readonly #counts: ExpiringMap<{ count: number; readonly endsAtMs: number }>;

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
}

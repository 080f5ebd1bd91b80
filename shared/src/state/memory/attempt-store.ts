import type { Clock } from "../../platform/clock.ts";
import type { AttemptStore } from "../ports/attempt-store.ts";
import { ExpiringMap } from "./expiring-map.ts";

export class MemoryAttemptStore implements AttemptStore {
  readonly #counts: ExpiringMap<{ tries: number }>;

  constructor(clock: Clock) {
    this.#counts = new ExpiringMap(clock);
  }

  async add(key: string, lifeSpanMs: number): Promise<number> {
    const known = this.#counts.get(key);
    if (known !== undefined) return ++known.tries;
    this.#counts.set(key, { tries: 1 }, lifeSpanMs);
    return 1;
  }

  async clear(key: string): Promise<void> {
    this.#counts.delete(key);
  }
}

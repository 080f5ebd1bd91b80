import type { Clock } from "../../platform/clock.ts";
import type { IdempotencyStore, KeyedRequest } from "../ports/idempotency-store.ts";
import { ExpiringMap } from "./expiring-map.ts";

export class MemoryIdempotencyStore implements IdempotencyStore {
  readonly #requests: ExpiringMap<KeyedRequest>;

  constructor(clock: Clock) {
    this.#requests = new ExpiringMap(clock);
  }

  async find(key: string): Promise<KeyedRequest | undefined> {
    return this.#requests.get(key);
  }

  async claim(key: string, request: KeyedRequest, lifeSpanMs: number): Promise<KeyedRequest> {
    const first = this.#requests.get(key);
    if (first !== undefined) return first;
    this.#requests.set(key, request, lifeSpanMs);
    return request;
  }
}

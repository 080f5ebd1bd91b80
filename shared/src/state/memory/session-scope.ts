/** All data with the lifetime of a session: one write renews all of it, and one deletion removes all of it. */
import type { Clock } from "../../platform/clock.ts";
import { ExpiringMap } from "./expiring-map.ts";

interface Renewable {
  renew(sessionId: string, lifeSpanMs: number): void;
  delete(sessionId: string): boolean;
}

export class SessionScope {
  readonly clock: Clock;
  readonly lifeSpanMs: number;
  readonly #maps: Renewable[] = [];

  constructor(clock: Clock, lifeSpanMs: number) {
    this.clock = clock;
    this.lifeSpanMs = lifeSpanMs;
  }

  /** Adds a map keyed by session id. */
  map<V>(): ExpiringMap<V> {
    const map = new ExpiringMap<V>(this.clock);
    this.#maps.push(map);
    return map;
  }

  renew(sessionId: string): void {
    for (const map of this.#maps) map.renew(sessionId, this.lifeSpanMs);
  }

  delete(sessionId: string): void {
    for (const map of this.#maps) map.delete(sessionId);
  }
}

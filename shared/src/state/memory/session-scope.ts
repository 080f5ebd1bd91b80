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
  readonly #ofOneSession: Renewable[] = [];

  constructor(clock: Clock, lifeSpanMs: number) {
    this.clock = clock;
    this.lifeSpanMs = lifeSpanMs;
  }

  /** Adds a map keyed by session id, of what may be there before the session. */
  map<V>(): ExpiringMap<V> {
    const map = new ExpiringMap<V>(this.clock);
    this.#maps.push(map);
    return map;
  }

  /** Adds one of what the next session of the same id must not find. */
  mapOfOneSession<V>(): ExpiringMap<V> {
    const map = this.map<V>();
    this.#ofOneSession.push(map);
    return map;
  }

  begin(sessionId: string): void {
    for (const map of this.#ofOneSession) map.delete(sessionId);
  }

  renew(sessionId: string): void {
    for (const map of this.#maps) map.renew(sessionId, this.lifeSpanMs);
  }

  /** False if there was nothing. */
  delete(sessionId: string): boolean {
    return this.#maps.map((map) => map.delete(sessionId)).some((existed) => existed);
  }
}

import type { FlightLog } from "../ports/flight-log.ts";
import type { SessionStore } from "../ports/session-store.ts";
import type { ExpiringMap } from "./expiring-map.ts";
import type { SessionScope } from "./session-scope.ts";

export class MemoryFlightLog implements FlightLog {
  readonly #segments: ExpiringMap<readonly string[]>;
  readonly #sessions: Pick<SessionStore, "get">;
  readonly #lifeSpanMs: number;

  constructor(scope: SessionScope, sessions: Pick<SessionStore, "get">) {
    this.#segments = scope.mapOfOneSession();
    this.#sessions = sessions;
    this.#lifeSpanMs = scope.lifeSpanMs;
  }

  async append(sessionId: string, segment: string, keep: number): Promise<void> {
    if (typeof (await this.#sessions.get(sessionId)) === "string") return;
    const kept = this.#segments.get(sessionId) ?? [];
    this.#segments.set(sessionId, [...kept, segment].slice(-keep), this.#lifeSpanMs);
  }

  async read(sessionId: string): Promise<readonly string[]> {
    return this.#segments.get(sessionId) ?? [];
  }
}

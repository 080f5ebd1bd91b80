import type { SessionLog } from "../ports/session-log.ts";
import type { SessionStore } from "../ports/session-store.ts";
import type { ExpiringMap } from "./expiring-map.ts";
import type { SessionScope } from "./session-scope.ts";

export class MemorySessionLog implements SessionLog {
  readonly #pieces: ExpiringMap<readonly string[]>;
  readonly #sessions: Pick<SessionStore, "get">;
  readonly #lifeSpanMs: number;

  constructor(scope: SessionScope, sessions: Pick<SessionStore, "get">) {
    this.#pieces = scope.mapOfOneSession();
    this.#sessions = sessions;
    this.#lifeSpanMs = scope.lifeSpanMs;
  }

  async append(sessionId: string, piece: string, keep: number): Promise<void> {
    if (typeof (await this.#sessions.get(sessionId)) === "string") return;
    const stored = this.#pieces.get(sessionId) ?? [];
    this.#pieces.set(sessionId, [...stored, piece].slice(-keep), this.#lifeSpanMs);
  }

  async read(sessionId: string): Promise<readonly string[]> {
    return this.#pieces.get(sessionId) ?? [];
  }
}

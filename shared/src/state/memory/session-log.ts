import type { SessionLog } from "../ports/session-log.ts";
import type { SessionStore } from "../ports/session-store.ts";
import type { SessionScope } from "./session-scope.ts";

export function createMemorySessionLog(scope: SessionScope, sessions: Pick<SessionStore, "get">): SessionLog {
  const pieces = scope.mapOfOneSession<readonly string[]>();
  return {
    async append(sessionId, piece, keep) {
      if (typeof (await sessions.get(sessionId)) === "string") return;
      pieces.set(sessionId, [...(pieces.get(sessionId) ?? []), piece].slice(-keep), scope.lifeSpanMs);
    },
    read: async (sessionId) => pieces.get(sessionId) ?? [],
  };
}

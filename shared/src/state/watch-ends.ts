import type { SessionRecord, SessionStore } from "./ports/session-store.ts";

/**
 * When it is looked up whether a write took place that was to make something true, where nothing more was said of it: far
 * longer than a write and the one after it take.
 */
export const checkAfterMs = 30_000;

/** Calls `around` for every write that ends a session, with the session as that makes it and the version that it had before. */
export function watchEnds(
  sessions: SessionStore,
  around: <Answer>(ended: SessionRecord, write: () => Promise<Answer>) => Promise<Answer>,
): SessionStore {
  return {
    ...sessions,
    async update(sessionId, version, patch) {
      const write = () => sessions.update(sessionId, version, patch);
      if (patch.status !== "ended") return write();
      const session = await sessions.get(sessionId);
      return typeof session === "string" ? write() : around({ ...session, ...patch, version }, write);
    },
  };
}

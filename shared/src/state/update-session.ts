/** Changes a session that others may be changing, or deleting, at the same moment. */
import { VoiceError } from "../platform/errors.ts";
import type { SessionPatch, SessionRecord, SessionStore } from "./ports/session-store.ts";
import { updateWithRetry } from "./update-with-retry.ts";

/** `decide`: undefined if nothing has to change. Rejects with `session_expired` if the session is gone. */
export function updateSession(
  sessionId: string,
  sessions: Pick<SessionStore, "get" | "update">,
  decide: (session: SessionRecord) => SessionPatch | undefined,
): Promise<SessionRecord> {
  return updateWithRetry({
    async read() {
      const found = await sessions.get(sessionId);
      if (typeof found === "string") throw new VoiceError("session_expired", "the session is gone");
      return found;
    },
    decide,
    write: ({ version }, patch) => sessions.update(sessionId, version, patch),
  });
}

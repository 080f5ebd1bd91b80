/**
 * Marks a session before its recordings and its archived conversation are deleted: what a host writes between that and the end of the
 * session's record would otherwise stay for ever (REC-9). If the deletion fails, the session still exists and can be deleted again.
 */
import { VoiceError } from "@voice/shared/platform/errors";
import type { SessionStore } from "@voice/shared/state/ports/session-store";
import { updateSession } from "@voice/shared/state/update-session";

export async function markDeletion(sessionId: string, sessions: Pick<SessionStore, "get" | "update">): Promise<void> {
  try {
    await updateSession(sessionId, sessions, ({ deletionBegun }) =>
      deletionBegun === true ? undefined : { deletionBegun: true },
    );
  } catch (error) {
    // Another request has deleted it meanwhile, which hosts find as well.
    if (!(error instanceof VoiceError) || error.code !== "session_expired") throw error;
  }
}

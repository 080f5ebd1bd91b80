/** Keeps the stored media session's record of its socket up to date, without delaying the conversation. */
import { toVoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import type { MediaSessionPatch, MediaSessionStore } from "@voice/shared/state/ports/media-session-store";

/**
 * Another socket's open or close may come in between; a third attempt would mean that two sockets keep overwriting each
 * other.
 */
const maxAttempts = 3;

export async function recordPresence(
  store: MediaSessionStore,
  sessionId: string,
  patch: MediaSessionPatch,
  logger: Logger,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      const session = await store.get(sessionId);
      if (typeof session !== "string") await store.update(sessionId, session.version, patch);
      return;
    } catch (error) {
      const { code } = toVoiceError(error);
      if (code === "conflict" && attempt < maxAttempts) continue;
      logger.warn({ code }, "a media session's presence could not be stored");
      return;
    }
  }
}

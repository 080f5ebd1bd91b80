/**
 * Creates a session's recording in the storage, unless the session was deleted meanwhile: the first write is up to a second
 * after the recording has begun, and DELETE finds nothing before that.
 */
import { toVoiceError, VoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import type {
  RecordingFormat,
  RecordingId,
  RecordingStore,
  RecordingWriter,
} from "@voice/shared/recordings/recording-store";
import type { SessionStore } from "@voice/shared/state/ports/session-store";

export interface BeginRecordingParts {
  readonly store: Pick<RecordingStore, "create" | "deleteAll">;
  readonly sessions: Pick<SessionStore, "get">;
  readonly logger: Logger;
}

/** Rejects with `not_found` if the session was deleted (REC-9). */
export async function beginRecording(
  id: RecordingId,
  format: RecordingFormat,
  { store, sessions, logger }: BeginRecordingParts,
): Promise<RecordingWriter> {
  const writer = await store.create(id, format);
  if (!(await isDeleted(id.sessionId, sessions, logger))) return writer;
  await writer.close();
  await store.deleteAll(id.sessionId, (recordingId) => recordingId === id.recordingId);
  throw new VoiceError("not_found", "the session was deleted before its recording was created");
}

/** Or is about to be. False while the state store is away: a conversation is recorded all the same. */
async function isDeleted(sessionId: string, sessions: Pick<SessionStore, "get">, logger: Logger): Promise<boolean> {
  try {
    const found = await sessions.get(sessionId);
    return typeof found === "string" ? found === "expired" : found.deletionBegun === true;
  } catch (error) {
    const { code } = toVoiceError(error);
    logger.warn({ error, code }, "a recording begins, although its session could not be read");
    return false;
  }
}

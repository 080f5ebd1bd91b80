/**
 * Creates a session's recording in the storage, unless the session was deleted meanwhile: the first write is up to a second
 * after the recording has begun, and DELETE finds nothing before that. What was created too late is taken away again.
 */
import { growingDelayMs } from "@voice/shared/platform/backoff";
import type { Clock } from "@voice/shared/platform/clock";
import { toVoiceError, VoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import { pause } from "@voice/shared/platform/pause";
import { warnIfItFails } from "@voice/shared/platform/warn-if-it-fails";
import type {
  RecordingFormat,
  RecordingId,
  RecordingStore,
  RecordingWriter,
} from "@voice/shared/recordings/recording-store";
import type { SessionStore } from "@voice/shared/state/ports/session-store";

export interface RecordingBeginnerParts {
  readonly store: Pick<RecordingStore, "create" | "deleteAll">;
  readonly sessions: Pick<SessionStore, "get">;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Work that goes on when the recording is over. */
  readonly track: (work: Promise<void>) => void;
  /** The host goes: what could not be taken away is tried once more. */
  readonly leaving: AbortSignal;
}

/** The recording is over by then, so that a storage that is away for longer than a call can still be tidied. */
const patienceMs = 600_000;
const retry = { firstMs: 1000, longestMs: 60_000 };

/** Called again after a failure. Rejects with `not_found` if the session was deleted (REC-9), and then every time. */
export function recordingBeginner(
  id: RecordingId,
  format: RecordingFormat,
  { store, sessions, clock, logger, track, leaving }: RecordingBeginnerParts,
): () => Promise<RecordingWriter> {
  async function takeAway(): Promise<void> {
    const givesUpAtMs = clock.now() + patienceMs;
    for (let attempt = 0; ; attempt += 1) {
      const isLast = clock.now() >= givesUpAtMs || leaving.aborted;
      try {
        await store.deleteAll(id.sessionId, (recordingId) => recordingId === id.recordingId);
        return;
      } catch (error) {
        const { code } = toVoiceError(error);
        if (isLast) {
          logger.error({ error, code }, "an empty recording of a deleted session may be left in the storage");
          return;
        }
        await pause(clock, growingDelayMs(attempt, retry), leaving);
      }
    }
  }

  return async () => {
    // An attempt that failed may have created it.
    if (!(await isDeleted(id.sessionId, sessions, logger))) {
      const writer = await store.create(id, format);
      if (!(await isDeleted(id.sessionId, sessions, logger))) return writer;
      await writer.close().catch((error: unknown) => logger.warn({ error }, "a recording could not be closed"));
    }
    track(takeAway());
    throw new VoiceError("not_found", "the session was deleted before its recording was created");
  };
}

/** The session was deleted, or is about to be. False while the state store is away: a conversation is recorded all the same. */
async function isDeleted(sessionId: string, sessions: Pick<SessionStore, "get">, logger: Logger): Promise<boolean> {
  return (
    (await warnIfItFails(logger, {}, "a recording begins, although its session could not be read", async () => {
      const found = await sessions.get(sessionId);
      return typeof found === "string" ? found === "expired" : found.deletionBegun === true;
    })) ?? false
  );
}

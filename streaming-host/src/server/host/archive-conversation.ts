/**
 * One attempt to bring the archive up to date with a conversation that has ended: afterwards it has all of it, or nothing
 * where it was deleted.
 */
import { describeSession, describeTurns } from "@voice/shared/archive/describe-session";
import type { ConversationArchive, ConversationKey } from "@voice/shared/archive/conversation-archive";
import type { Clock } from "@voice/shared/platform/clock";
import { toVoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import { inSlices } from "@voice/shared/platform/steps";
import { defaultLifeSpans } from "@voice/shared/state/life-spans";
import type { SessionRecord } from "@voice/shared/state/ports/session-store";
import type { State } from "@voice/shared/state/ports/state";
import type { DueConversation } from "@voice/shared/state/work/due-conversations";

export interface ArchiveAttemptParts {
  readonly archive: Pick<ConversationArchive, "keep" | "forget">;
  readonly state: Pick<State, "sessions" | "afterCalls">;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface ArchiveAttempt {
  readonly conversation: DueConversation;
  /** A recording that is being written is waited for. */
  readonly mayWait: boolean;
  readonly withinMs: number;
  /** Ends it sooner. */
  readonly signal: AbortSignal;
}

/** `goes on`: whoever ends it announces that again. The last three: another attempt has to be made. */
export type ArchiveOutcome =
  | "kept"
  | "deleted"
  | "goes on"
  | "expired"
  | "not kept"
  | "not forgotten"
  | "is being recorded";

/** In doubt, a session that is gone has expired: nothing that was archived is lost. An hour for clocks that differ. */
const certainlyStoredMs = defaultLifeSpans.sessionMs - 3_600_000;

/** Never rejects. */
export async function archiveConversation(
  { conversation, mayWait, withinMs, signal }: ArchiveAttempt,
  { archive, state, clock, logger }: ArchiveAttemptParts,
): Promise<ArchiveOutcome> {
  const { sessionId, createdAtMs, storedAtMs } = conversation;
  const key = { sessionId, createdAt: new Date(createdAtMs).toISOString() };
  const late = new AbortController();
  const cancel = clock.setTimer(withinMs, () => late.abort());

  async function bringUpToDate(): Promise<ArchiveOutcome> {
    for (;;) {
      const [session, history, turns] = await Promise.all([
        state.sessions.get(sessionId),
        state.sessions.history(sessionId),
        state.sessions.metrics(sessionId),
      ]);
      if (!isOf(session, key) && clock.wallNow() - storedAtMs > certainlyStoredMs) return "expired";
      if (!isToBeKept(session, key)) return forget();
      if (session.status === "active") return "goes on";
      if (mayWait && isBeingRecorded(session)) return "is being recorded";
      const described = {
        ...(await inSlices(describeSession(session, history, await state.afterCalls.get(session)))),
        turns: describeTurns(turns),
        owner: session.owner ?? null,
        call_connection_id: session.callConnectionId ?? null,
        archived_at: new Date(clock.wallNow()).toISOString(),
      };
      await archive.keep(described, AbortSignal.any([late.signal, signal]));
      // It may have been deleted while it was written, or gone on: of two writers at once, the one that knows less may write last.
      const now = await state.sessions.get(sessionId);
      if (isToBeKept(now, key) && now.version === session.version) return "kept";
    }
  }

  /** An attempt may have written it, also one of a host that died. */
  async function forget(): Promise<ArchiveOutcome> {
    try {
      await archive.forget(key);
      return "deleted";
    } catch (error) {
      const { code } = toVoiceError(error);
      logger.warn({ error, code }, "a deleted conversation could not be looked for in the archive");
      return "not forgotten";
    }
  }

  try {
    return await bringUpToDate();
  } catch (error) {
    logger.warn({ error, code: toVoiceError(error).code }, "a conversation waits until it can be archived");
    return "not kept";
  } finally {
    cancel();
  }
}

function isToBeKept(found: SessionRecord | string, key: ConversationKey): found is SessionRecord {
  return isOf(found, key) && found.deletionBegun !== true;
}

/** False where another conversation has the id now, or none. */
function isOf(found: SessionRecord | string, { createdAt }: ConversationKey): found is SessionRecord {
  return typeof found !== "string" && new Date(found.createdAtMs).toISOString() === createdAt;
}

function isBeingRecorded({ recordings = [] }: SessionRecord): boolean {
  return recordings.some(({ status }) => status === "recording");
}

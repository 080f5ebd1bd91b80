/**
 * Archives conversations that have ended, on whatever host: each end is in a durable queue (`queueEnds`), so that no crash
 * and no outage of the archive loses one. It is over when the archive has the conversation, or, where that was deleted,
 * when nothing of it is left there.
 */
import { settledAfterMs } from "@voice/shared/state/due-ends";
import type { ConversationArchive, ConversationKey } from "@voice/shared/archive/conversation-archive";
import type { Clock } from "@voice/shared/platform/clock";
import { toVoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import type { State } from "@voice/shared/state/ports/state";
import { dueConversation } from "@voice/shared/state/work/due-conversations";
import type { DueConversation, TakenConversation } from "@voice/shared/state/work/due-conversations";
import type { Telemetry } from "@voice/shared/telemetry/telemetry";
import { leaseMs, retryPauseMs, serveWork } from "./serve-work.ts";
import { describeSession, describeTurns } from "@voice/shared/archive/describe-session";
import { inSlices } from "@voice/shared/platform/steps";
import { defaultLifeSpans } from "@voice/shared/state/life-spans";
import type { SessionRecord } from "@voice/shared/state/ports/session-store";

export interface ConversationArchiverOptions {
  /** If absent, conversations expire with their sessions. */
  readonly archive: ConversationArchive | undefined;
  /** As other hosts see it: what waits for the store on this one is announced when it is there. */
  readonly state: Pick<State, "sessions" | "toArchive" | "afterCalls">;
  readonly random: () => number;
  readonly telemetry: Pick<Telemetry, "count">;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface ConversationArchiver {
  /** A session's socket has closed on this host, and everything is stored. */
  left(sessionId: string): void;
  /** Archives at once what has ended here just now, because no host may be left to do it. Idempotent. */
  close(): Promise<void>;
}

/** Before the next host may have the conversation. */
const attemptMs = leaseMs - 15_000;
/** How long a host that is told to stop tries to archive what it has in hand, and what has ended just now. */
const closingMs = 5000;
/** A host takes 10 s at most to write the rest of a recording. */
const attemptsThatWait = 2;
/** Whoever is to know of an archive that is away hears of it when this attempt has failed, about 13 minutes after the conversation's end. */
const lateAttempt = 4;
const sentences = {
  failing: "the conversations that are to be archived could not be read",
  over: "the conversations that are to be archived are read again",
};
const again: ReadonlySet<ArchiveOutcome> = new Set(["not kept", "not forgotten", "is being recorded"]);

export function createConversationArchiver(options: ConversationArchiverOptions): ConversationArchiver {
  const { archive, state, random, telemetry, clock } = options;
  if (archive === undefined) return { left: () => undefined, close: () => Promise.resolve() };
  const parts = { archive, state, clock };
  const closing = new AbortController();
  const givenUp = new AbortController();
  /** Sessions that this host has left, and when. */
  const leftAtMs = new Map<string, number>();

  async function bringUpToDate(taken: TakenConversation): Promise<void> {
    const { sessionId, attempt: nth } = taken;
    const logger = options.logger.child({ sessionId, attempt: nth });
    const mayWait = nth <= attemptsThatWait;
    const attempt = { conversation: taken, mayWait, withinMs: attemptMs, signal: givenUp.signal };
    const outcome = await archiveConversation(attempt, { ...parts, logger });
    const pauseMs = again.has(outcome) ? retryPauseMs(nth, random()) : undefined;
    try {
      if (pauseMs !== undefined) {
        if (nth === lateAttempt) telemetry.count("voice.archive", { outcome: "late" });
        return await state.toArchive.postpone(taken, pauseMs);
      }
      if (outcome === "kept") telemetry.count("voice.archive", { outcome });
      if (outcome === "expired" || again.has(outcome)) {
        telemetry.count("voice.archive", { outcome: "given_up" });
        if (outcome === "not forgotten") logger.error({}, "a deleted conversation may be left in the archive");
        else logger.error({}, "a conversation was not archived");
      }
      await state.toArchive.finish(taken);
    } catch (error) {
      // The lease ends, and somebody tries again.
      const { code } = toVoiceError(error);
      logger.warn({ error, code }, "what became of a conversation to archive could not be stored");
    }
    return undefined;
  }

  const ended = {
    take: (limit: number, forMs: number) => state.toArchive.take(limit, forMs),
    handle: bringUpToDate,
    sentences,
  };
  const endQueue = serveWork(ended, closing.signal, clock, options.logger);

  /** What it does not achieve, whoever takes the conversation next does. */
  async function keepNow(sessionId: string): Promise<void> {
    const logger = options.logger.child({ sessionId });
    try {
      const session = await state.sessions.get(sessionId);
      if (typeof session === "string") return;
      const attempt = {
        conversation: dueConversation(session),
        mayWait: false,
        withinMs: closingMs,
        signal: givenUp.signal,
      };
      await archiveConversation(attempt, { ...parts, logger });
    } catch (error) {
      logger.warn({ error, code: toVoiceError(error).code }, "a conversation that ended just now could not be read");
    }
  }

  const isRecent = (leftMs: number): boolean => clock.now() - leftMs <= 2 * settledAfterMs;

  return {
    left(sessionId) {
      for (const [other, leftMs] of leftAtMs) if (!isRecent(leftMs)) leftAtMs.delete(other);
      leftAtMs.set(sessionId, clock.now());
    },
    async close() {
      closing.abort();
      const cancel = clock.setTimer(closingMs, () => givenUp.abort());
      await endQueue();
      const recent = [...leftAtMs].filter(([, leftMs]) => isRecent(leftMs));
      leftAtMs.clear();
      await Promise.all(recent.map(([sessionId]) => keepNow(sessionId)));
      cancel();
    },
  };
}

interface ArchiveAttemptParts {
  readonly archive: Pick<ConversationArchive, "keep" | "forget">;
  readonly state: Pick<State, "sessions" | "afterCalls">;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * One attempt to bring the archive up to date with a conversation that has ended: afterwards it has all of it, or nothing where it was
 * deleted.
 */
interface ArchiveAttempt {
  readonly conversation: DueConversation;
  /** A recording that is being written is waited for. */
  readonly mayWait: boolean;
  readonly withinMs: number;
  /** Ends it sooner. */
  readonly signal: AbortSignal;
}

/** `goes on`: whoever ends it announces that again. The last three: another attempt has to be made. */
type ArchiveOutcome = "kept" | "deleted" | "goes on" | "expired" | "not kept" | "not forgotten" | "is being recorded";

/** In doubt, a session that is gone has expired: nothing that was archived is lost. An hour for clocks that differ. */
const certainlyStoredMs = defaultLifeSpans.sessionMs - 3_600_000;

/** Never rejects. */
async function archiveConversation(
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

/**
 * Archives conversations that have ended, on whatever host: each end is in a durable queue (`queueEnds`), so that no crash
 * and no outage of the archive loses one. It is over when the archive has the conversation, or, where that was deleted,
 * when nothing of it is left there.
 */
import { endedInTime } from "@voice/shared/platform/within-time";
import { settledAfterMs } from "@voice/shared/state/due-ends";
import type { ConversationArchive, ConversationKey } from "@voice/shared/archive/conversation-archive";
import type { Logger } from "@voice/shared/platform/logger";
import type { State } from "@voice/shared/state/ports/state";
import { dueConversation } from "@voice/shared/state/work/due-conversations";
import type { DueConversation, TakenConversation } from "@voice/shared/state/work/due-conversations";
import type { Host } from "../../host/host.ts";
import { lateAttempt, leaseMs, retryPauseMs, serveWork } from "./serve-work.ts";
import { describeSession, describeTurns } from "@voice/shared/archive/describe-session";
import { inSlices } from "@voice/shared/platform/steps";
import { warnIfItFails } from "@voice/shared/platform/warn-if-it-fails";
import { defaultLifeSpans } from "@voice/shared/state/life-spans";
import type { SessionRecord } from "@voice/shared/state/ports/session-store";

type HostOfArchiver = Pick<Host, "random" | "telemetry" | "clock" | "logger">;
type Stored = Pick<State, "sessions" | "toArchive" | "afterCalls">;

/** The time limit of an attempt, which ends before the next host may have the conversation. */
const attemptMs = leaseMs - 15_000;
/** How long a host that is told to stop tries to archive what it has in hand, and what has ended just now. */
const closingMs = 5000;
/** A host takes 10 s at most to write the rest of a recording. */
const attemptsThatWait = 2;
const sentences = {
  failing: "the conversations that are to be archived could not be read",
  over: "the conversations that are to be archived are read again",
};
const again: ReadonlySet<ArchiveOutcome> = new Set(["not kept", "not forgotten", "is being recorded"]);

/**
 * One attempt to bring the archive up to date with a conversation that has ended: afterwards it has all of it, or nothing where it was
 * deleted.
 */
interface ArchiveAttempt {
  readonly conversation: DueConversation;
  /** A recording that is being written is waited for. */
  readonly mayWait: boolean;
  readonly withinMs: number;
  /** Ends the attempt sooner. */
  readonly signal: AbortSignal;
}

/** `goes on`: whoever ends it announces that again. The last three: another attempt has to be made. */
type ArchiveOutcome = "kept" | "deleted" | "goes on" | "expired" | "not kept" | "not forgotten" | "is being recorded";

/** In doubt, a session that is gone has expired: nothing that was archived is lost. An hour for clocks that differ. */
const certainlyStoredMs = defaultLifeSpans.sessionMs - 3_600_000;

export class ConversationArchiver {
  readonly #archive: Pick<ConversationArchive, "keep" | "forget">;
  readonly #host: HostOfArchiver;
  readonly #stored: Stored;
  readonly #closing = new AbortController();
  readonly #givenUp = new AbortController();
  /** Sessions that this host has left, and when. */
  readonly #leftAtMs = new Map<string, number>();
  readonly #endQueue: () => Promise<void>;

  /** `stored`: the state as other hosts see it; what waits for the store on this one is announced when it is there. */
  constructor(archive: Pick<ConversationArchive, "keep" | "forget">, host: HostOfArchiver, stored: Stored) {
    this.#archive = archive;
    this.#host = host;
    this.#stored = stored;
    const ended = {
      take: (limit: number, forMs: number) => stored.toArchive.take(limit, forMs),
      handle: (taken: TakenConversation) => this.#bringUpToDate(taken),
      sentences,
    };
    this.#endQueue = serveWork(ended, this.#closing.signal, host.clock, host.logger);
  }

  /** A session's socket has closed on this host, and everything is stored. */
  left(sessionId: string): void {
    for (const [other, leftMs] of this.#leftAtMs) if (!this.#isRecent(leftMs)) this.#leftAtMs.delete(other);
    this.#leftAtMs.set(sessionId, this.#host.clock.now());
  }

  /** Archives at once what has ended here just now, because no host may be left to do it. Idempotent. */
  async close(): Promise<void> {
    this.#closing.abort();
    const cancel = this.#host.clock.setTimer(closingMs, () => this.#givenUp.abort());
    await this.#endQueue();
    const recent = [...this.#leftAtMs].filter(([, leftMs]) => this.#isRecent(leftMs));
    this.#leftAtMs.clear();
    await Promise.all(recent.map(([sessionId]) => this.#keepNow(sessionId)));
    cancel();
  }

  #isRecent(leftMs: number): boolean {
    return this.#host.clock.now() - leftMs <= 2 * settledAfterMs;
  }

  async #bringUpToDate(taken: TakenConversation): Promise<void> {
    const { random, telemetry } = this.#host;
    const { toArchive } = this.#stored;
    const { sessionId, attempt: nth } = taken;
    const logger = this.#host.logger.child({ sessionId, attempt: nth });
    const mayWait = nth <= attemptsThatWait;
    const attempt = { conversation: taken, mayWait, withinMs: attemptMs, signal: this.#givenUp.signal };
    const outcome = await this.#attempt(attempt, logger);
    const pauseMs = again.has(outcome) ? retryPauseMs(nth, random()) : undefined;
    // The lease ends, and somebody tries again.
    await warnIfItFails(logger, {}, "what became of a conversation to archive could not be stored", async () => {
      if (pauseMs !== undefined) {
        if (nth === lateAttempt) telemetry.count("voice.archive", { outcome: "late" });
        return await toArchive.postpone(taken, pauseMs);
      }
      if (outcome === "kept") telemetry.count("voice.archive", { outcome });
      if (outcome === "expired" || again.has(outcome)) {
        telemetry.count("voice.archive", { outcome: "given_up" });
        if (outcome === "not forgotten") logger.error({}, "a deleted conversation may be left in the archive");
        else logger.error({}, "a conversation was not archived");
      }
      return await toArchive.finish(taken);
    });
  }

  /** What it does not achieve, whoever takes the conversation next does. */
  async #keepNow(sessionId: string): Promise<void> {
    const logger = this.#host.logger.child({ sessionId });
    await warnIfItFails(logger, {}, "a conversation that ended just now could not be read", async () => {
      const session = await this.#stored.sessions.get(sessionId);
      if (typeof session === "string") return;
      const attempt = {
        conversation: dueConversation(session),
        mayWait: false,
        withinMs: closingMs,
        signal: this.#givenUp.signal,
      };
      await this.#attempt(attempt, logger);
    });
  }

  /** Never rejects. */
  async #attempt({ conversation, mayWait, withinMs, signal }: ArchiveAttempt, logger: Logger): Promise<ArchiveOutcome> {
    const archive = this.#archive;
    const { clock } = this.#host;
    const { sessions, afterCalls } = this.#stored;
    const { sessionId, createdAtMs, storedAtMs } = conversation;
    const key = { sessionId, createdAt: new Date(createdAtMs).toISOString() };

    async function bringUpToDate(inTime: AbortSignal): Promise<ArchiveOutcome> {
      for (;;) {
        const [session, history, turns] = await Promise.all([
          sessions.get(sessionId),
          sessions.history(sessionId),
          sessions.metrics(sessionId),
        ]);
        if (!isOf(session, key) && clock.wallNow() - storedAtMs > certainlyStoredMs) return "expired";
        if (!isToBeKept(session, key)) return forget();
        if (session.status === "active") return "goes on";
        if (mayWait && isBeingRecorded(session)) return "is being recorded";
        const described = {
          ...(await inSlices(describeSession(session, history, await afterCalls.get(session)))),
          turns: describeTurns(turns),
          owner: session.owner ?? null,
          call_connection_id: session.callConnectionId ?? null,
          archived_at: new Date(clock.wallNow()).toISOString(),
        };
        await archive.keep(described, inTime);
        // The session may have been deleted or continued meanwhile: of two writers at once, the one that knows less may write last.
        const now = await sessions.get(sessionId);
        if (isToBeKept(now, key) && now.version === session.version) return "kept";
      }
    }

    /** An attempt may have written it, also one of a host that died. */
    async function forget(): Promise<ArchiveOutcome> {
      const forgotten = await warnIfItFails(
        logger,
        {},
        "a deleted conversation could not be looked for in the archive",
        () => archive.forget(key).then((): ArchiveOutcome => "deleted"),
      );
      return forgotten ?? "not forgotten";
    }

    return (
      (await warnIfItFails(logger, {}, "a conversation waits until it can be archived", () =>
        endedInTime(clock, withinMs, signal, bringUpToDate),
      )) ?? "not kept"
    );
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

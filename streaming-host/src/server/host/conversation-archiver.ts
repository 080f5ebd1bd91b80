/** Archives conversations that have ended on this host. Only a host that is about to stop waits for it. */
import { describeSession, describeTurns } from "@voice/shared/archive/describe-session";
import type { ConversationArchive, ConversationKey } from "@voice/shared/archive/conversation-archive";
import { backoffDelayMs } from "@voice/shared/platform/backoff";
import type { RetrySettings } from "@voice/shared/platform/backoff";
import type { Clock } from "@voice/shared/platform/clock";
import { toVoiceError } from "@voice/shared/platform/errors";
import { pause } from "@voice/shared/platform/pause";
import { inSlices } from "@voice/shared/platform/steps";
import type { Logger } from "@voice/shared/platform/logger";
import type { SessionRecord, SessionStore } from "@voice/shared/state/ports/session-store";
import type { Telemetry } from "@voice/shared/telemetry/telemetry";

export interface ConversationArchiverOptions {
  /** If absent, conversations expire with their sessions. */
  readonly archive: ConversationArchive | undefined;
  readonly sessions: SessionStore;
  readonly retry: Pick<RetrySettings, "backoffFactor" | "jitter">;
  readonly random: () => number;
  readonly telemetry: Pick<Telemetry, "count">;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface ConversationArchiver {
  /**
   * The session's socket has closed, and everything is stored. If the session is resumed, it is archived again as a
   * whole.
   */
  keep(sessionId: string): void;
  /** Resolves when everything is archived, or after a while without success. */
  close(): Promise<void>;
}

/** Sessions are stored for a day and nobody waits, so trying for longer than elsewhere costs next to nothing. */
const patienceMs = 600_000;
/** How long a host that is told to stop keeps trying to archive what is left. */
const closingMs = 5000;

export function createConversationArchiver(options: ConversationArchiverOptions): ConversationArchiver {
  const { archive, sessions, retry, random, telemetry, clock } = options;
  const pending = new Set<Promise<void>>();
  /** The last work of each session: of two writers at once the one that knows less might write last. */
  const latest = new Map<string, Promise<void>>();
  const givenUp = new AbortController();

  async function keep(to: ConversationArchive, sessionId: string): Promise<void> {
    const logger = options.logger.child({ sessionId });
    const givesUpAtMs = clock.now() + patienceMs;
    /** What an attempt may have written, whether or not it was told so. */
    let written: ConversationKey | undefined;
    let isDeleted = false;
    for (let attempt = 0; ; attempt += 1) {
      try {
        const [session, history, turns] = await Promise.all([
          sessions.get(sessionId),
          sessions.history(sessionId),
          sessions.metrics(sessionId),
        ]);
        isDeleted = typeof session === "string" || session.deletionBegun === true;
        // What was written after the deletion had looked into the archive, nobody else takes out again.
        if (written !== undefined && (isDeleted || !isOf(session, written))) await to.forget(written);
        if (typeof session === "string" || isDeleted) return; // not to be kept
        const conversation = {
          ...(await inSlices(describeSession(session, history))),
          turns: describeTurns(turns),
          owner: session.owner ?? null,
          call_connection_id: session.callConnectionId ?? null,
          archived_at: new Date(clock.wallNow()).toISOString(),
        };
        written = { sessionId, createdAt: conversation.created_at };
        await to.keep(conversation, givenUp.signal);
        // It may have been deleted while it was written.
        const now = await sessions.get(sessionId);
        isDeleted = !isOf(now, written) || now.deletionBegun === true;
        if (isDeleted) await to.forget(written);
        else telemetry.count("voice.archive", { outcome: "kept" });
        return;
      } catch (error) {
        if (clock.now() >= givesUpAtMs || givenUp.signal.aborted) {
          telemetry.count("voice.archive", { outcome: "given_up" });
          const code = toVoiceError(error).code;
          if (isDeleted) logger.error({ error, code }, "a deleted conversation may be left in the archive");
          else logger.error({ error, code }, "a conversation was not archived");
          return;
        }
        await pause(clock, backoffDelayMs(attempt, retry, random()), givenUp.signal);
      }
    }
  }

  return {
    keep(sessionId) {
      if (archive === undefined) return;
      const before = latest.get(sessionId) ?? Promise.resolve();
      const work = before.then(() => keep(archive, sessionId));
      pending.add(work);
      latest.set(sessionId, work);
      void work.finally(() => {
        pending.delete(work);
        if (latest.get(sessionId) === work) latest.delete(sessionId);
      });
    },
    async close() {
      const cancel = clock.setTimer(closingMs, () => givenUp.abort());
      while (pending.size > 0) await Promise.all(pending);
      cancel();
    },
  };
}

/** False where another conversation has the id now, or none. */
function isOf(found: SessionRecord | string, { createdAt }: ConversationKey): found is SessionRecord {
  return typeof found !== "string" && new Date(found.createdAtMs).toISOString() === createdAt;
}

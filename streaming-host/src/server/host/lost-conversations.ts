/**
 * HS-11: ends the conversations of hosts that died, if their clients have not come back to another host. Phone calls are
 * not among them, because the call itself brings its conversation to another host or ends it (TAKE, END-8). One host does
 * this for all, and reads the active conversations only after a host has gone.
 */
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";
import { toVoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import { createOutageLog } from "@voice/shared/platform/outage-log";
import { pause } from "@voice/shared/platform/pause";
import type { HostRegistry } from "@voice/shared/state/ports/host-registry";
import type { LiveUpdates } from "@voice/shared/state/ports/live-updates";
import type { SessionLog } from "@voice/shared/state/ports/session-log";
import { channels } from "@voice/shared/state/ports/session-store";
import type { SessionRecord, SessionStore } from "@voice/shared/state/ports/session-store";
import { endedByLostHost, hostLost } from "../../session/conversation/ended-by-lost-host.ts";
import { createMessageLog } from "../conversations/companions/message-log.ts";
import { createNoticePublisher } from "../conversations/companions/publish-notices.ts";
import { HostAttendance, looksUntilLost } from "./host-attendance.ts";

export interface LostConversationsOptions {
  readonly hostId: string;
  readonly hosts: Pick<HostRegistry, "list">;
  /** Not the buffered one: nothing can be said about other hosts while the store is away. */
  readonly sessions: Pick<SessionStore, "list" | "update">;
  readonly liveUpdates: Pick<LiveUpdates, "publish" | "isWatched">;
  readonly messageLog: Pick<SessionLog, "append">;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** With four looks until a host counts as dead, a client has at least 100 s after its host's last heartbeat to come back. */
export const lookPeriodMs = 30_000;
/** A conversation that was written to this recently may be on a host that is younger than the last look. */
const quietMs = (looksUntilLost - 1) * lookPeriodMs;
/** Parsed within milliseconds; ten thousand conversations take half a minute. */
const pageSize = 50;
const pagePauseMs = 100;
const sentences = {
  failing: "conversations of hosts that died could not be looked for",
  over: "conversations of hosts that died are looked for again",
};

/** Returns the function that stops it, which resolves when nothing is being ended any more. Idempotent. */
export function watchLostConversations(options: LostConversationsOptions): () => Promise<void> {
  const { hostId, hosts, sessions, liveUpdates, messageLog, clock, logger } = options;
  const attendance = new HostAttendance(hostId);
  const log = createOutageLog(logger, sentences);
  const leaving = new AbortController();
  let looking = Promise.resolve();
  let cancel: CancelTimer = () => undefined;

  function lookLater(): void {
    if (!leaving.signal.aborted) cancel = clock.setTimer(lookPeriodMs, () => void (looking = look().then(lookLater)));
  }

  async function look(): Promise<void> {
    try {
      const present = await hosts.list();
      attendance.note(present.map((host) => host.hostId));
      // Every host keeps attendance, so that another one can continue where the first has left.
      const isFirst = present.find(({ draining }) => !draining)?.hostId === hostId;
      if (isFirst && attendance.hasNewlyLost && (await endLost())) attendance.settle();
      log.worked();
    } catch (error) {
      attendance.startOver();
      log.failed(error);
    }
  }

  /** False if some are left for the next look. */
  async function endLost(): Promise<boolean> {
    let isComplete = true;
    for await (const session of activeOldestFirst()) {
      if (leaving.signal.aborted) return false;
      if (session.hostId === undefined || !attendance.isLost(session.hostId)) continue;
      const isQuiet = clock.wallNow() - session.lastActivityAtMs >= quietMs;
      if (!isQuiet || !(await end(session))) isComplete = false;
    }
    return isComplete;
  }

  async function end(session: SessionRecord): Promise<boolean> {
    const { sessionId, version, channel } = session;
    try {
      // If the client has come back meanwhile, the version is another one, and the conversation goes on.
      await sessions.update(sessionId, version, endedByLostHost(session));
    } catch (error) {
      const { code } = toVoiceError(error);
      logger.info({ error, code, sessionId }, "a conversation whose host died was not ended");
      return false;
    }
    logger.warn({ sessionId, channel, reason: hostLost }, "a conversation ended because its host died");
    const log = createMessageLog(messageLog, sessionId, clock, logger);
    const { publish } = createNoticePublisher(liveUpdates, session, clock, log);
    publish({ type: "event", payload: { name: "session_ended", reason: hostLost } });
    return true;
  }

  /** Lists are newest first. Reading from their end misses nothing when others begin or end meanwhile. */
  async function* activeOldestFirst(): AsyncGenerator<SessionRecord> {
    for (const channel of channels.filter((name) => name !== "phone")) {
      const active = { channel, status: "active" } as const;
      for (let { total: offset } = await sessions.list({ ...active, offset: 0, limit: 1 }); offset > 0;) {
        const limit = Math.min(pageSize, offset);
        offset -= limit;
        const page = await sessions.list({ ...active, offset, limit });
        yield* page.sessions.toReversed();
        if (offset > 0) await pause(clock, pagePauseMs);
      }
    }
  }

  lookLater();
  return async () => {
    leaving.abort();
    cancel();
    await looking;
  };
}

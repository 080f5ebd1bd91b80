/**
 * HS-11: ends the conversations of hosts that died, if their clients have not come back to another host. Phone calls are
 * not among them, because the call itself brings its conversation to another host or ends it (TAKE, END-8). One host does
 * this for all, and reads the active conversations only after a host has gone.
 */
import type { CancelTimer } from "@voice/shared/platform/clock";
import { toVoiceError } from "@voice/shared/platform/errors";
import { createOutageLog, type OutageLog } from "@voice/shared/platform/outage-log";
import { pause } from "@voice/shared/platform/pause";
import type { HostRegistry } from "@voice/shared/state/ports/host-registry";
import { channels } from "@voice/shared/state/ports/session-store";
import type { SessionRecord, SessionStore } from "@voice/shared/state/ports/session-store";
import type { State } from "@voice/shared/state/ports/state";
import type { Host } from "../../host/host.ts";
import { endedByLostHost, hostLost } from "../../session/conversation/ended-by-lost-host.ts";
import { createMessageLog } from "../conversations/companions/message-log.ts";
import { createNoticePublisher } from "../conversations/companions/publish-notices.ts";
import { HostAttendance, looksUntilLost } from "./host-attendance.ts";

type HostOfWatch = Pick<Host, "id" | "clock" | "logger"> & {
  readonly state: Pick<State, "liveUpdates" | "messageLog">;
};
/** Not the buffered one: nothing can be said about other hosts while the store is away. */
type Stored = { readonly hosts: Pick<HostRegistry, "list">; readonly sessions: Pick<SessionStore, "list" | "update"> };

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

export class LostConversations {
  readonly #host: HostOfWatch;
  readonly #stored: Stored;
  readonly #attendance: HostAttendance;
  readonly #log: OutageLog;
  readonly #leaving = new AbortController();
  #looking = Promise.resolve();
  #cancel: CancelTimer = () => undefined;

  constructor(host: HostOfWatch, stored: Stored) {
    this.#host = host;
    this.#stored = stored;
    this.#attendance = new HostAttendance(host.id);
    this.#log = createOutageLog(host.logger, sentences);
    this.#lookLater();
  }

  /** Resolves when nothing is being ended any more; from then on, another host does it. Idempotent. */
  async close(): Promise<void> {
    this.#leaving.abort();
    this.#cancel();
    await this.#looking;
  }

  #lookLater(): void {
    if (this.#leaving.signal.aborted) return;
    const look = (): void => void (this.#looking = this.#look().then(() => this.#lookLater()));
    this.#cancel = this.#host.clock.setTimer(lookPeriodMs, look);
  }

  async #look(): Promise<void> {
    const attendance = this.#attendance;
    try {
      const present = await this.#stored.hosts.list();
      attendance.note(present.map((host) => host.hostId));
      // Every host keeps attendance, so that another one can continue where the first has left.
      const isFirst = present.find(({ draining }) => !draining)?.hostId === this.#host.id;
      if (isFirst && attendance.hasNewlyLost && (await this.#endLost())) attendance.settle();
      this.#log.worked();
    } catch (error) {
      attendance.startOver();
      this.#log.failed(error);
    }
  }

  /** False if some are left for the next look. */
  async #endLost(): Promise<boolean> {
    let isComplete = true;
    for await (const session of this.#activeOldestFirst()) {
      if (this.#leaving.signal.aborted) return false;
      if (session.hostId === undefined || !this.#attendance.isLost(session.hostId)) continue;
      const isQuiet = this.#host.clock.wallNow() - session.lastActivityAtMs >= quietMs;
      if (!isQuiet || !(await this.#end(session))) isComplete = false;
    }
    return isComplete;
  }

  async #end(session: SessionRecord): Promise<boolean> {
    const { sessionId, version, channel } = session;
    const { state, clock, logger } = this.#host;
    try {
      // If the client has come back meanwhile, the version is another one, and the conversation goes on.
      await this.#stored.sessions.update(sessionId, version, endedByLostHost(session));
    } catch (error) {
      const { code } = toVoiceError(error);
      logger.info({ error, code, sessionId }, "a conversation whose host died was not ended");
      return false;
    }
    logger.warn({ sessionId, channel, reason: hostLost }, "a conversation ended because its host died");
    const log = createMessageLog(state.messageLog, sessionId, clock, logger);
    const { publish } = createNoticePublisher(state.liveUpdates, session, clock, log);
    publish({ type: "event", payload: { name: "session_ended", reason: hostLost } });
    return true;
  }

  /** Lists are newest first. Reading from their end misses nothing when others begin or end meanwhile. */
  async *#activeOldestFirst(): AsyncGenerator<SessionRecord> {
    const { sessions } = this.#stored;
    for (const channel of channels.filter((name) => name !== "phone")) {
      const active = { channel, status: "active" } as const;
      for (let { total: offset } = await sessions.list({ ...active, offset: 0, limit: 1 }); offset > 0;) {
        const limit = Math.min(pageSize, offset);
        offset -= limit;
        const page = await sessions.list({ ...active, offset, limit });
        yield* page.sessions.toReversed();
        if (offset > 0) await pause(this.#host.clock, pagePauseMs);
      }
    }
  }
}

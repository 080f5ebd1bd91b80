/** Publishes every notice to a session's peer to those who watch, and to its log, in the same order and after the peer. */
import type { Clock } from "@voice/shared/platform/clock";
import type { LiveUpdates } from "@voice/shared/state/ports/live-updates";
import type { SessionRecord } from "@voice/shared/state/ports/session-store";
import { encodeMessage } from "../../../transports/envelope.ts";
import type { SessionNotice } from "../../../transports/transport.ts";
import type { MessageLog } from "./message-log.ts";

/** How often levels are published while nobody watches them: a new watcher sees the meters move within this time. */
const unwatchedLevelsMs = 2_000;

/** Levels are rounded to a thousandth, which meters do not show. */
const silentLevel = 0.001;

export interface NoticePublisher {
  readonly publish: (notice: SessionNotice) => void;
  /** For somebody who begins to watch: an agent that listens changes nothing until its caller speaks. */
  readonly repeatState: () => Promise<void>;
  /** The conversation goes on elsewhere, or is over: nothing waits for its next turn. */
  readonly store: () => Promise<void>;
}

export function createNoticePublisher(
  liveUpdates: Pick<LiveUpdates, "publish" | "isWatched">,
  { sessionId, owner }: Pick<SessionRecord, "sessionId" | "owner">,
  clock: Clock,
  log: MessageLog,
): NoticePublisher {
  /** Whether the level that was published last is. */
  let isAudible = false;
  let levelsAtMs = Number.NEGATIVE_INFINITY;
  const waiting: { readonly notice: SessionNotice; readonly atMs: number }[] = [];
  let latestState: SessionNotice | undefined;

  function send(notice: SessionNotice, atMs: number): void {
    liveUpdates.publish({ sessionId, owner, text: encodeMessage(notice.type, sessionId, atMs, notice.payload) });
  }

  function publishWaiting(): void {
    for (const { notice, atMs } of waiting.splice(0)) {
      send(notice, atMs);
      log.add(notice, atMs);
    }
  }

  /** Levels are nearly all that a session publishes, and cost more than its frames even when nobody watches. */
  function isWorthPublishing({ type, payload }: SessionNotice): boolean {
    if (type !== "audio_levels") return true;
    const nowMs = clock.now();
    const isAudibleNow = payload.input > silentLevel || payload.output > silentLevel;
    // Silence is reported once, and a meter that misses it shows the last level until the next word.
    const isFall = isAudible && !isAudibleNow;
    if (!isFall && nowMs - levelsAtMs < unwatchedLevelsMs && !liveUpdates.isWatched(sessionId)) return false;
    levelsAtMs = nowMs;
    isAudible = isAudibleNow;
    return true;
  }

  function publish(notice: SessionNotice): void {
    if (!isWorthPublishing(notice)) return;
    if (notice.type === "event" && notice.payload.name === "state_change") latestState = notice;
    const atMs = clock.wallNow();
    // Levels are sent between two frames. Half of all other notices come just before the first audio of an answer and
    // must not delay it.
    if (notice.type === "audio_levels" && waiting.length === 0) send(notice, atMs);
    else if (waiting.push({ notice, atMs }) === 1) setImmediate(publishWaiting);
  }

  function store(): Promise<void> {
    publishWaiting();
    return log.writeAll();
  }

  return {
    publish,
    store,
    async repeatState() {
      await store(); // whoever receives the state can read what it is about
      if (latestState !== undefined) publish(latestState);
    },
  };
}

/**
 * Stores what those who watch a conversation are sent, so that it can be followed afterwards as it was (TIMELINE-1). Levels, and what the
 * recogniser thinks so far, are replaced within moments and are not stored; the pieces of an answer are stored as one.
 */
import { joinPieces } from "@voice/shared/contracts/stream/join-pieces";
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import { warnIfItFails } from "@voice/shared/platform/warn-if-it-fails";
import type { SessionLog, SessionPiece } from "@voice/shared/state/ports/session-log";
import { encodeMessage } from "../../../transports/envelope.ts";
import type { SessionNotice } from "../../../transports/transport.ts";

/** Batches stored per conversation: about one a turn, of two kilobytes each. */
export const maxMessageBatches = 2000;

/** The end of a turn stores what was sent in it, which costs nothing of its own. What no turn takes waits for as long. */
const longestWaitMs = 15_000;

export interface MessageLog {
  add(notice: SessionNotice, atMs: number): void;
  /** What was added since it was stored last, for whoever stores it with something else; an answer only once something follows it. */
  take(): SessionPiece | undefined;
  /** Stores also what there is of an answer that is being written, for somebody who begins to watch in its middle. Never rejects. */
  writeAll(): Promise<void>;
}

type Response = Extract<SessionNotice, { type: "response" }>["payload"];

export function createMessageLog(
  messageLog: Pick<SessionLog, "append">,
  sessionId: string,
  clock: Clock,
  logger: Logger,
): MessageLog {
  const batch: string[] = [];
  let cancelWait: CancelTimer | undefined;
  /** An answer that is being written. Its pieces are stored once something else follows them. */
  let written: { payload: Response; readonly atMs: number; untilMs: number } | undefined;

  function push(type: SessionNotice["type"], atMs: number, payload: unknown): void {
    batch.push(encodeMessage(type, sessionId, atMs, payload));
  }

  function take(): SessionPiece | undefined {
    cancelWait?.();
    cancelWait = undefined;
    return batch.length === 0 ? undefined : { piece: `[${batch.splice(0).join(",")}]`, keep: maxMessageBatches };
  }

  function pushWritten(): void {
    if (written === undefined) return;
    const { payload, atMs, untilMs } = written;
    const [timestamp, until] = [atMs, untilMs].map((ms) => new Date(ms).toISOString());
    batch.push(JSON.stringify({ type: "response", session_id: sessionId, timestamp, until, payload }));
    written = undefined;
  }

  async function write(): Promise<void> {
    const taken = take();
    if (taken === undefined) return;
    await warnIfItFails(logger, {}, "messages of a conversation could not be stored", () =>
      messageLog.append(sessionId, taken.piece, taken.keep),
    );
  }

  return {
    add(notice, atMs) {
      if (notice.type === "audio_levels") return;
      if (notice.type === "transcript" && !notice.payload.is_final) return;
      if (notice.type === "response" && !notice.payload.is_final) {
        const { agent, turn_id: turnId, text } = notice.payload;
        const isSame = written?.payload.agent === agent && written.payload.turn_id === turnId;
        if (written !== undefined && isSame) {
          written.payload = { ...written.payload, text: joinPieces(written.payload.text, text) };
          written.untilMs = atMs;
          return;
        }
        pushWritten();
        written = { payload: notice.payload, atMs, untilMs: atMs };
        return;
      }
      pushWritten();
      push(notice.type, atMs, notice.payload);
      // No turn follows the end.
      if (notice.type === "event" && notice.payload.name === "session_ended") void write();
      else cancelWait ??= clock.setTimer(longestWaitMs, () => void write());
    },
    take,
    writeAll() {
      pushWritten();
      return write();
    },
  };
}

/**
 * Stores what those who watch a conversation are sent, so that it can be followed afterwards as it was (TIMELINE-1). Levels, and what the
 * recogniser thinks so far, are replaced within moments and are not stored; the pieces of an answer are stored as one.
 */
import { joinPieces } from "@voice/shared/contracts/stream/join-pieces";
import type { Logger } from "@voice/shared/platform/logger";
import type { SessionLog } from "@voice/shared/state/ports/session-log";
import { encodeMessage } from "../../../transports/envelope.ts";
import type { SessionNotice } from "../../../transports/transport.ts";

/** Batches stored per conversation: about four a turn, of half a kilobyte each. */
export const maxMessageBatches = 2000;

export interface MessageLog {
  add(notice: SessionNotice, atMs: number): void;
  /** Stores what was added since the last call, but an answer only once something follows it. Never rejects. */
  write(): Promise<void>;
  /** Stores also what there is of an answer that is being written, for somebody who begins to watch in its middle. */
  writeAll(): Promise<void>;
}

type Response = Extract<SessionNotice, { type: "response" }>["payload"];

export function createMessageLog(log: Pick<SessionLog, "append">, sessionId: string, logger: Logger): MessageLog {
  const batch: string[] = [];
  /** An answer that is being written. Its pieces are stored once something else follows them. */
  let written: { payload: Response; readonly atMs: number; untilMs: number } | undefined;

  function push(type: SessionNotice["type"], atMs: number, payload: unknown): void {
    batch.push(encodeMessage(type, sessionId, atMs, payload));
  }

  function pushWritten(): void {
    if (written === undefined) return;
    const { payload, atMs, untilMs } = written;
    const [timestamp, until] = [atMs, untilMs].map((ms) => new Date(ms).toISOString());
    batch.push(JSON.stringify({ type: "response", session_id: sessionId, timestamp, until, payload }));
    written = undefined;
  }

  async function write(): Promise<void> {
    if (batch.length === 0) return;
    try {
      await log.append(sessionId, `[${batch.splice(0).join(",")}]`, maxMessageBatches);
    } catch (error) {
      logger.warn({ error }, "messages of a conversation could not be stored");
    }
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
    },
    write,
    writeAll() {
      pushWritten();
      return write();
    },
  };
}

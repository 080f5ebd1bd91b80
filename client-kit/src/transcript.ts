/** What both sides have said, as a page shows it. Pure. */
import { joinPieces } from "@voice/shared/contracts/stream/join-pieces";
import type { ResponsePayload, ServerMessage, TranscriptPayload } from "./messages.ts";

export interface TranscriptEntry {
  readonly id: number;
  readonly speaker: "user" | "agent";
  readonly text: string;
  /** False while more may come: the caller still speaks, or the agent's answer is still being written or heard. */
  readonly isFinal: boolean;
  readonly agent?: string | undefined;
  /** The caller spoke over it: the text is what was heard. */
  readonly isInterrupted?: boolean | undefined;
  readonly beganAt?: string | undefined;
  readonly turnId?: string | undefined;
}

export type Transcript = readonly TranscriptEntry[];

/** The same array where the message changes nothing. */
export function addToTranscript(entries: Transcript, message: ServerMessage): Transcript {
  if (message.type === "transcript" && message.payload.speaker === "user") return addWords(entries, message.payload);
  if (message.type === "response" || message.type === "agent_response") return addResponse(entries, message.payload);
  return entries;
}

function addWords(entries: Transcript, payload: TranscriptPayload): Transcript {
  const open = entries.findLast(({ speaker, isFinal }) => speaker === "user" && !isFinal);
  const { text, is_final: isFinal, began_at: beganAt, turn_id: turnId } = payload;
  return put(entries, open, { speaker: "user", text, isFinal, beganAt, turnId });
}

function addResponse(entries: Transcript, payload: ResponsePayload): Transcript {
  const { text, agent, turn_id: turnId, is_final: isFinal, began_at: beganAt, interrupted } = payload;
  const open = entries.findLast(
    (entry) => entry.speaker === "agent" && !entry.isFinal && entry.turnId === turnId && entry.agent === agent,
  );
  const whole = isFinal || open === undefined ? text : joinPieces(open.text, text);
  // Nothing of it was heard, so nothing was said.
  if (whole === "") return open === undefined ? entries : entries.filter((entry) => entry !== open);
  return put(entries, open, {
    speaker: "agent",
    text: whole,
    isFinal,
    agent,
    isInterrupted: interrupted,
    beganAt,
    turnId,
  });
}

function put(entries: Transcript, open: TranscriptEntry | undefined, entry: Omit<TranscriptEntry, "id">): Transcript {
  if (open !== undefined)
    return entries.map((before) =>
      before === open ? { ...entry, id: open.id, beganAt: entry.beganAt ?? open.beganAt } : before,
    );
  const id = entries.reduce((highest, before) => Math.max(highest, before.id), 0) + 1;
  // Words may be known late: they stand before whatever began after them.
  const { beganAt } = entry;
  const before = beganAt === undefined ? -1 : entries.findIndex((other) => (other.beganAt ?? "") > beganAt);
  const at = before < 0 ? entries.length : before;
  return [...entries.slice(0, at), { ...entry, id }, ...entries.slice(at)];
}

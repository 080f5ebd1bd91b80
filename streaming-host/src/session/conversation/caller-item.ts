/** The caller's words as an item of the history. */
import type { HistoryItem } from "@voice/shared/state/ports/session-store";

/** The caller has finished saying it: what a conversation's end has cut off is not answered (TAKE-3). */
export function isWholeTurn({ role, interrupted }: HistoryItem): boolean {
  return role === "user" && !interrupted;
}

export function callerItem(said: {
  readonly text: string;
  /** The agent that was active. */
  readonly agent: string;
  readonly turnId: string;
  readonly timestampMs: number;
  /** When the turn began, if the words are stored later; absent: they are stored as it begins. */
  readonly begunAtMs?: number | undefined;
}): HistoryItem {
  const { text, agent, turnId, timestampMs, begunAtMs } = said;
  return {
    role: "user",
    content: text,
    agent,
    turnId,
    timestampMs,
    ...(begunAtMs !== undefined && { begunAtMs }),
    interrupted: false,
  };
}

/** What the caller said, as the history keeps it. */
import type { HistoryItem } from "@voice/shared/state/ports/session-store";

export function callerItem(said: {
  readonly text: string;
  /** Whom they said it to. */
  readonly agent: string;
  readonly turnId: string;
  readonly timestampMs: number;
}): HistoryItem {
  const { text, agent, turnId, timestampMs } = said;
  return { role: "user", content: text, agent, turnId, timestampMs, interrupted: false };
}

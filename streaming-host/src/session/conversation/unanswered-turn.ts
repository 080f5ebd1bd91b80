/** FAIL-6: the caller's last words and what was done about them, for whoever answers them in place of another. Pure. */
import type { HistoryItem } from "@voice/shared/state/ports/session-store";

export interface UnansweredTurn {
  readonly userText: string;
  readonly history: readonly HistoryItem[];
  /** The tools that ran; they must not run again. What was half said is left out: it is said anew. */
  readonly since: readonly HistoryItem[];
}

/** Undefined while the caller has said nothing. */
export function unansweredTurn(history: readonly HistoryItem[]): UnansweredTurn | undefined {
  const at = history.findLastIndex(({ role }) => role === "user");
  const words = history[at];
  if (words === undefined) return undefined;
  const since = history.slice(at + 1).filter(({ role, toolCalls }) => role === "tool" || toolCalls !== undefined);
  return { userText: words.content, history: history.slice(0, at), since };
}

/**
 * FAIL-6: the caller's last words and the tools already run for them, so that another session can answer them. Pure.
 */
import type { HistoryItem } from "@voice/shared/state/ports/session-store";

export interface UnansweredTurn {
  readonly userText: string;
  readonly history: readonly HistoryItem[];
  /** The tools that ran and must not run again. A partly spoken answer is left out, because it is spoken again. */
  readonly since: readonly HistoryItem[];
}

/** Undefined if the caller has said nothing. */
export function unansweredTurn(history: readonly HistoryItem[]): UnansweredTurn | undefined {
  const at = history.findLastIndex(isWholeTurn);
  const words = history[at];
  if (words === undefined) return undefined;
  // A realtime model may call a tool before it has written down the words that it answers.
  const isOfTurn = (item: HistoryItem, index: number): boolean => index > at || item.turnId === words.turnId;
  const since = history.filter((item, index) => isOfTurn(item, index) && isOfTool(item));
  return { userText: words.content, history: history.slice(0, at).filter((item) => !since.includes(item)), since };
}

/** The caller has finished saying it: what a conversation's end has cut off is not answered (TAKE-3). */
export function isWholeTurn({ role, interrupted }: HistoryItem): boolean {
  return role === "user" && !interrupted;
}

function isOfTool({ role, toolCalls }: HistoryItem): boolean {
  return role === "tool" || toolCalls !== undefined;
}

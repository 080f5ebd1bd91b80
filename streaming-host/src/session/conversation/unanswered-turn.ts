/**
 * FAIL-6: the caller's last words and the tools already run for them, so that another session can answer them. Pure.
 */
import { withoutWithdrawn } from "@voice/shared/conversation/withdrawn-effects";
import { isOfTool } from "@voice/shared/state/history-order";
import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import { isWholeTurn } from "./caller-item.ts";

export interface UnansweredTurn {
  readonly userText: string;
  readonly history: readonly HistoryItem[];
  /** The tools that ran and must not run again. A partly spoken answer is left out, because it is spoken again. */
  readonly since: readonly HistoryItem[];
}

/** Undefined if the caller has said nothing. */
export function unansweredTurn(written: readonly HistoryItem[]): UnansweredTurn | undefined {
  const history = withoutWithdrawn(written);
  const at = history.findLastIndex(isWholeTurn);
  const words = history[at];
  if (words === undefined) return undefined;
  return { userText: words.content, history: history.slice(0, at), since: history.slice(at + 1).filter(isOfTool) };
}

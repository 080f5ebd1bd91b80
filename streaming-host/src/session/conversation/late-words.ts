/**
 * TAKE-2: a host that stood still, or was cut off from the store, writes down what it had heard when it is back. Meanwhile another one
 * has asked the caller to repeat it, so these words are behind the repeated ones in the history, and are not the caller's
 * last. Pure.
 */
import type { HistoryItem } from "@voice/shared/state/ports/session-store";

/** The caller has finished saying it: what a conversation's end has cut off is not answered (TAKE-3). */
export function isWholeTurn({ role, interrupted }: HistoryItem): boolean {
  return role === "user" && !interrupted;
}

/** Turns are numbered through, whichever host has the conversation, unless it begins again without the store (CACHE-5). */
export function withoutLateWords(history: readonly HistoryItem[]): readonly HistoryItem[] {
  let latest = 0;
  return history.filter((item) => {
    const turn = turnNumberOf(item);
    if (turn === 1) latest = 1;
    if (!isWholeTurn(item)) return true;
    if (turn < latest) return false;
    latest = turn;
    return true;
  });
}

function turnNumberOf({ turnId }: HistoryItem): number {
  return Number(/\d+$/.exec(turnId)?.[0] ?? 1);
}

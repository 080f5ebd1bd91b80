/**
 * The caller's words before the tools that ran for them. A realtime model hears for itself: it may have called a tool, and have its
 * result, before the words are written down. Pure.
 */
import type { HistoryItem } from "@voice/shared/state/ports/session-store";

export function wordsFirst(history: readonly HistoryItem[]): readonly HistoryItem[] {
  const ordered: HistoryItem[] = [];
  for (const item of history) {
    const isItsTool = (earlier: HistoryItem): boolean => earlier.turnId === item.turnId && isOfTool(earlier);
    const before = item.role === "user" ? ordered.findLastIndex((earlier) => !isItsTool(earlier)) : ordered.length - 1;
    ordered.splice(before + 1, 0, item);
  }
  return ordered;
}

/** A call of tools, or the result of one. */
export function isOfTool({ role, toolCalls }: HistoryItem): boolean {
  return role === "tool" || toolCalls !== undefined;
}

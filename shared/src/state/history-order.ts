/**
 * The one order of a history: items stand where their turns began, whenever they were stored. A speech-to-speech service transcribes the
 * caller beside its answer, so that a question may be stored after its answer, and two questions the wrong way round. Pure.
 */
import type { HistoryItem } from "./ports/session-store.ts";

/** The history of a log, whose items are in the order in which they were stored. */
export function inOrder(log: readonly HistoryItem[]): HistoryItem[] {
  const history: HistoryItem[] = [];
  for (const item of log) insertInOrder(history, item);
  return history;
}

/** Puts the item, which is stored now, into the history, and returns its position there. */
export function insertInOrder(history: HistoryItem[], item: HistoryItem): number {
  let at = history.length;
  for (let before = history[at - 1]; before !== undefined && isBefore(item, before); before = history[at - 1]) at -= 1;
  if (at === history.length) history.push(item);
  else history.splice(at, 0, item);
  return at;
}

function isBefore(item: HistoryItem, stored: HistoryItem): boolean {
  if (item.begunAtMs !== undefined) return stored.begunAtMs !== undefined && item.begunAtMs < stored.begunAtMs;
  // Versions that stored no beginning kept the order of storage, in which a tool may have run before the words that asked for it were known.
  return item.role === "user" && stored.turnId === item.turnId && isOfTool(stored);
}

/** A call of tools, or the result of one. */
export function isOfTool({ role, toolCalls }: HistoryItem): boolean {
  return role === "tool" || toolCalls !== undefined;
}

/**
 * Keeps a list still while it is refreshed: a row stays where it is, changes in its place, and new ones come before it, because the order
 * is that of the beginning. Pure.
 */
import type { ConversationInfo } from "../api/conversations-api.ts";

interface Page {
  readonly conversations: readonly ConversationInfo[];
  /** Nothing is behind it. */
  readonly isLast: boolean;
}

/**
 * `first`: the first page, read again. What it no longer has between its own rows has left the list; what is behind its last row is not
 * known anew.
 */
export function mergeFirstPage(rows: readonly ConversationInfo[], first: Page): readonly ConversationInfo[] {
  const last = first.conversations.at(-1);
  if (first.isLast || last === undefined) return first.conversations;
  return [...first.conversations, ...rows.filter((row) => isBehind(row, last))];
}

/** `page`: what begins behind the last row. */
export function appendPage(
  rows: readonly ConversationInfo[],
  page: readonly ConversationInfo[],
): readonly ConversationInfo[] {
  const last = rows.at(-1);
  return last === undefined ? page : [...rows, ...page.filter((row) => isBehind(row, last))];
}

/** How many of them were not in the list before, and stand before all that were. */
export function countNew(before: readonly ConversationInfo[], after: readonly ConversationInfo[]): number {
  const [first] = before;
  if (first === undefined) return 0;
  const at = after.findIndex((row) => row.session_id === first.session_id);
  return at === -1 ? after.filter((row) => isBehind(first, row)).length : at;
}

/** Times are in one form of ISO 8601, so that their order is that of their text. */
function isBehind(row: ConversationInfo, other: ConversationInfo): boolean {
  if (row.started_at !== other.started_at) return row.started_at < other.started_at;
  return row.session_id < other.session_id;
}

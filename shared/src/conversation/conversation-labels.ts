/**
 * What people type to find a conversation: a part of a number, of an address, or of an id as lists show it, which is its beginning
 * without `session-`. A label is every ending of those from which a search may begin, so that an index of prefixes finds them.
 */
import type { ConversationRow } from "../state/ports/conversation-table.ts";

/** A shorter text finds nearly everything. */
export const shortestSearch = 2;
/** Ids that clients choose may be long, and nobody types more. */
const longestLabel = 64;
const wordStarts = /(?<=^|[^\p{L}\p{N}])[\p{L}\p{N}]/gu;

/** Capitals do not count, nor do the spaces, brackets and dashes with which a number is written. */
export function normaliseSearch(text: string): string {
  const trimmed = text.trim().toLowerCase();
  return isWrittenNumber(trimmed) ? trimmed.replaceAll(/\D/gu, "") : trimmed;
}

export function labelsOf({ sessionId, callId, who }: Pick<ConversationRow, "sessionId" | "callId" | "who">): string[] {
  const ids = [sessionId, callId ?? ""].flatMap((id) => endings(id.toLowerCase(), wordPositions(id)));
  const name = normaliseSearch(who ?? "");
  const names = endings(
    name,
    Array.from({ length: name.length }, (_, at) => at),
  );
  return [...new Set([...ids, ...names])];
}

/** `search` is normalised. */
export function isFoundBy(row: Parameters<typeof labelsOf>[0], search: string): boolean {
  return labelsOf(row).some((label) => label.startsWith(search));
}

function isWrittenNumber(text: string): boolean {
  return /^\+?[\d\s().\-/]+$/u.test(text) && /\d/u.test(text);
}

function wordPositions(text: string): number[] {
  return [...text.matchAll(wordStarts)].map(({ index }) => index);
}

function endings(text: string, positions: readonly number[]): string[] {
  return positions.map((at) => text.slice(at, at + longestLabel)).filter((label) => label.length >= shortestSearch);
}

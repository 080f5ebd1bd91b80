/** Determines the part of a history that the active agent may see, and its number of turns. Pure. */
import { withoutWithheldTurns } from "@voice/shared/conversation/withheld-turns";
import type { HistoryItem, SessionRecord } from "@voice/shared/state/ports/session-store";

/** `knownFrom`: undefined if the previous agent shared its context. */
export function knownHistory(history: readonly HistoryItem[], knownFrom: number | undefined): readonly HistoryItem[] {
  if (knownFrom === undefined) return [...withoutWithheldTurns(history)];
  // As in the turn of the handoff itself: the agent sees the words that led to the handoff, and nothing before them.
  const request = history.slice(0, knownFrom).findLast(({ role }) => role === "user");
  return withoutWithheldTurns([...(request === undefined ? [] : [request]), ...history.slice(knownFrom)]);
}

/** Old records have no count; they had at least as many turns as their history. */
export function turnsSoFar({ turnCount = 0 }: SessionRecord, history: readonly HistoryItem[]): number {
  return Math.max(turnCount, new Set(history.map(({ turnId }) => turnId)).size);
}

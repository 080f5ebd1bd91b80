/** Which part of a history the active agent may know, and how many turns it took. Pure. */
import { withoutWithheldTurns } from "@voice/shared/conversation/withheld-words";
import type { HistoryItem, SessionRecord } from "@voice/shared/state/ports/session-store";

/** `knownFrom`: undefined where the agent that had the floor before has shared what it knew. */
export function knownHistory(history: readonly HistoryItem[], knownFrom: number | undefined): readonly HistoryItem[] {
  if (knownFrom === undefined) return [...withoutWithheldTurns(history)];
  // As in the turn of the handoff itself: what the agent was called for, and nothing before it.
  const request = history.slice(0, knownFrom).findLast(({ role }) => role === "user");
  return withoutWithheldTurns([...(request === undefined ? [] : [request]), ...history.slice(knownFrom)]);
}

/** A record that does not tell has at least the turns that its history has. */
export function turnsSoFar({ turnCount = 0 }: SessionRecord, history: readonly HistoryItem[]): number {
  return Math.max(turnCount, new Set(history.map(({ turnId }) => turnId)).size);
}

/** How much a conversation's history takes, in memory and in the store. Pure. */
import type { HistoryItem } from "../state/ports/session-store.ts";

/**
 * What the store holds of an item in addition to its text: role, agent, turn, time, and its part of the turn's latencies. Without this,
 * many short texts would seem to take no space.
 */
export const charactersPerItem = 300;

/** In characters. */
export function historySize(items: readonly HistoryItem[]): number {
  return items.reduce((sum, { content, toolCalls }) => {
    const asked = toolCalls === undefined ? 0 : JSON.stringify(toolCalls).length;
    return sum + charactersPerItem + content.length + asked;
  }, 0);
}

/**
 * Utterances of the caller that the model's content filter rejected. They stay in the store, but models no longer see them, because a
 * filter judges the whole request: it would reject every later turn because of this one.
 */
import type { HistoryItem } from "../state/ports/session-store.ts";

const remark = "The caller said something that a content filter refused. It is left out here.";

export function withheldItem(place: Pick<HistoryItem, "agent" | "turnId" | "timestampMs">): HistoryItem {
  return { ...place, role: "system", content: remark, interrupted: false };
}

/** The history for models: of a withheld turn only the note and the agent's own words remain. */
export function withoutWithheldTurns(history: readonly HistoryItem[]): readonly HistoryItem[] {
  const withheld = new Set(history.filter(isRemark).map(({ turnId }) => turnId));
  if (withheld.size === 0) return history;
  return history.filter((item) => !withheld.has(item.turnId) || isRemark(item) || isSpoken(item));
}

function isRemark({ role, content }: HistoryItem): boolean {
  return role === "system" && content === remark;
}

function isSpoken({ role, toolCalls }: HistoryItem): boolean {
  return role === "assistant" && toolCalls === undefined;
}

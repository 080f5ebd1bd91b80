/**
 * Speech in which no word was recognised. The history notes it, because these are not words of the caller but the agent
 * has to know: after the second one in a row it should ask in another way.
 */
import type { HistoryItem } from "../state/ports/session-store.ts";

const remark = "The caller said something that could not be understood.";

/** What a chat model reads in place of the caller's words. */
export const notUnderstoodMessage = `[${remark} Ask again in other words; if it keeps happening, offer a person.]`;

export function notUnderstoodItem(place: Pick<HistoryItem, "agent" | "turnId" | "timestampMs">): HistoryItem {
  return { ...place, role: "system", content: remark, interrupted: false };
}

export function isNotUnderstood({ role, content }: Pick<HistoryItem, "role" | "content">): boolean {
  return role === "system" && content === remark;
}

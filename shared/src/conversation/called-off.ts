/**
 * What an agent announced to do with the call, and the caller spoke over (EFFECT-2). It was not done, and the history has
 * that as a remark of its own behind the tool's result: models are told in place of the result.
 */
import type { HistoryItem } from "../state/ports/session-store.ts";

const remark = "The caller spoke over the announcement, so this was not done.";
/** The `error` of such a result. */
export const talkedOver = "talked_over";
export const talkedOverMessage = `${remark} Answer what the caller says; if they may still want it, ask.`;
/** What a model reads in place of the tool's result. */
export const talkedOverResult = JSON.stringify({ success: false, error: talkedOver, message: talkedOverMessage });

export function calledOffItem(
  toolCallId: string | undefined,
  place: Pick<HistoryItem, "agent" | "turnId" | "timestampMs">,
): HistoryItem {
  return { ...place, role: "system", content: remark, toolCallId, interrupted: false };
}

export function isCalledOff({ role, content }: Pick<HistoryItem, "role" | "content">): boolean {
  return role === "system" && content === remark;
}

/** The tool calls that came to nothing in this way. */
export function calledOff(history: readonly HistoryItem[]): ReadonlySet<string | undefined> {
  return new Set(history.filter(isCalledOff).map(({ toolCallId }) => toolCallId));
}

/**
 * An effect on the call that was cancelled because the caller spoke over its announcement (EFFECT-2). The history notes
 * that in an item of its own after the tool's result, and models are told it in place of the result.
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

/** The tool calls that were cancelled in this way. */
export function calledOff(history: readonly HistoryItem[]): ReadonlySet<string | undefined> {
  return new Set(history.filter(isCalledOff).map(({ toolCallId }) => toolCallId));
}

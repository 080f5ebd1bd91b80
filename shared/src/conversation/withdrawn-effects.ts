/**
 * An effect on the call that was cancelled because the caller spoke over its announcement (EFFECT-2). The history notes
 * that in an item of its own after the tool's result, and models are told it in place of the result.
 */
import type { HistoryItem } from "../state/ports/session-store.ts";

const remark = "The caller spoke over the announcement, so this was not done.";
/** The `error` of such a result. */
export const talkedOver = "talked_over";
export const talkedOverMessage = `${remark} Answer what the caller says; if they may still want it, ask.`;
/** What is read in place of the tool's result. */
const talkedOverResult = JSON.stringify({ success: false, error: talkedOver, message: talkedOverMessage });

export function withdrawnItem(
  toolCallId: string | undefined,
  place: Pick<HistoryItem, "agent" | "turnId" | "timestampMs">,
): HistoryItem {
  return { ...place, role: "system", content: remark, toolCallId, interrupted: false };
}

/** The history as it is to be read: what was cancelled was not done, and is not to be done by whoever goes on with it. */
export function withoutWithdrawn(history: readonly HistoryItem[]): readonly HistoryItem[] {
  const withdrawn = withdrawnCalls(history);
  if (withdrawn.size === 0) return history;
  return history.flatMap((item) => {
    if (isWithdrawn(item)) return [];
    if (item.role !== "tool" || !withdrawn.has(item.toolCallId)) return [item];
    const { effects: _notDone, ...result } = item;
    return [{ ...result, content: talkedOverResult }];
  });
}

function isWithdrawn({ role, content }: Pick<HistoryItem, "role" | "content">): boolean {
  return role === "system" && content === remark;
}

/** The tool calls that were cancelled in this way. */
function withdrawnCalls(history: readonly HistoryItem[]): ReadonlySet<string | undefined> {
  return new Set(history.filter(isWithdrawn).map(({ toolCallId }) => toolCallId));
}

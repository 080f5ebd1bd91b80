/**
 * An effect that a tool requested and that was not carried out, because the caller spoke before or during its announcement (EFFECT-2), or
 * because the reply broke off. The history notes this in a separate item after the tool's result, and models read it in place of the
 * result.
 */
import type { HistoryItem } from "../state/ports/session-store.ts";
import { withSettledResults } from "./settled-results.ts";

const remarks = {
  talked_over: "The caller spoke over the announcement, so this was not done.",
  broke_off: "The answer broke off before this was announced, so it was not done.",
} as const;

/** The `error` of such a result. */
export type Withdrawal = keyof typeof remarks;

const withdrawals: readonly Withdrawal[] = ["talked_over", "broke_off"];

export function isWithdrawal(error: unknown): boolean {
  return withdrawals.some((known) => known === error);
}

/** What a model reads. */
export function withdrawnMessage(why: Withdrawal): string {
  return `${remarks[why]} Answer what the caller says; if they may still want it, ask.`;
}

export function withdrawnItem(
  toolCallId: string | undefined,
  why: Withdrawal,
  place: Pick<HistoryItem, "agent" | "turnId" | "timestampMs">,
): HistoryItem {
  return { ...place, role: "system", content: remarks[why], toolCallId, interrupted: false };
}

/**
 * The history as models read it: a call has the result that is known by now (EFFECT-18), and what was cancelled was not done, nor is it to
 * be done by whoever continues the conversation.
 */
export function withoutWithdrawn(written: readonly HistoryItem[]): readonly HistoryItem[] {
  const history = withSettledResults(written);
  const withdrawn = new Map(history.filter(isRemark).map((item) => [item.toolCallId, withdrawalIn(item)]));
  if (withdrawn.size === 0) return history;
  return history.flatMap((item) => {
    if (isRemark(item)) return [];
    const why = item.role === "tool" ? withdrawn.get(item.toolCallId) : undefined;
    if (why === undefined) return [item];
    const { effects: _notDone, ...result } = item;
    return [{ ...result, content: JSON.stringify({ success: false, error: why, message: withdrawnMessage(why) }) }];
  });
}

function isRemark(item: HistoryItem): boolean {
  return withdrawalIn(item) !== undefined;
}

function withdrawalIn({ role, content }: HistoryItem): Withdrawal | undefined {
  return role === "system" ? withdrawals.find((why) => remarks[why] === content) : undefined;
}

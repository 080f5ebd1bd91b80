/** TOOL-12: what the tools of the caller's last turn have done, for the words that take the place of an answer that failed. Pure. */
import { z } from "zod";
import { isUnknownResult } from "@voice/shared/conversation/settled-results";
import { withoutWithdrawn } from "@voice/shared/conversation/withdrawn-effects";
import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import { isWholeTurn } from "./caller-item.ts";

/** `done`: what was to be changed. `some`: a tool has succeeded, and there is no more that could be said of it. */
export type DoneInTurn = "done" | "some" | "unknown" | "nothing";

const resultOfTool = z.looseObject({ success: z.boolean().catch(true), handoff: z.boolean().catch(false) });

/** `changes`: whether the call of this id was to change something. */
export function doneInTurn(written: readonly HistoryItem[], changes: (callId: string) => boolean): DoneInTurn {
  const history = withoutWithdrawn(written);
  const items = history.slice(history.findLastIndex(isWholeTurn) + 1);
  const lastResult = items.findLastIndex(({ role }) => role === "tool");
  const isAnswered = items
    .slice(lastResult + 1)
    .some(({ role, content, interrupted }) => role === "assistant" && content !== "" && !interrupted);
  if (isAnswered) return "nothing";
  const results = items.flatMap((item) => {
    if (item.role !== "tool") return [];
    const { success, handoff } = resultOfTool.parse(JSON.parse(item.content));
    return handoff ? [] : [{ item, success }];
  });
  if (results.some(({ item }) => isUnknownResult(item))) return "unknown";
  const changing = results.filter(({ item }) => changes(item.toolCallId ?? ""));
  if (changing.length > 0 && changing.every(({ success }) => success)) return "done";
  return results.some(({ success }) => success) ? "some" : "nothing";
}

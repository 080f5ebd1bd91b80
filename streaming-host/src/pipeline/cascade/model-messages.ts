/** From the stored history to what a chat model reads. Pure. */
import { isNotUnderstood, notUnderstoodMessage } from "@voice/shared/conversation/not-understood";
import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import type { ModelMessage } from "../../providers/ports/language-model.ts";

/** Not as a remark from the system: some servers take those at the beginning only. */
export const notUnderstood: ModelMessage = { role: "user", content: notUnderstoodMessage, understood: false };

/** HIST-4: the history holds what was heard, so this is what the model sees. */
export function toModelMessages(history: readonly HistoryItem[]): ModelMessage[] {
  return history.map((item): ModelMessage => {
    switch (item.role) {
      case "user":
        return { role: "user", content: item.content };
      case "system":
        return isNotUnderstood(item) ? notUnderstood : { role: "system", content: item.content };
      case "tool":
        return { role: "tool", toolCallId: item.toolCallId ?? "", name: item.toolName ?? "", content: item.content };
      case "assistant": {
        const content = item.interrupted ? `${item.content} [interrupted by the caller]`.trim() : item.content;
        return item.toolCalls === undefined
          ? { role: "assistant", content }
          : { role: "assistant", content, toolCalls: item.toolCalls };
      }
    }
  });
}

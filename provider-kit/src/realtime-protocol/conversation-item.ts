/** A conversation item in the form in which the service stores it. */
import type { RealtimeHistoryItem } from "@voice/provider-kit/ports/realtime-model";

export function toConversationItem(
  item: RealtimeHistoryItem,
  assistantContent: string,
): Readonly<Record<string, unknown>> {
  switch (item.role) {
    case "user":
    case "assistant": {
      const content = [{ type: item.role === "user" ? "input_text" : assistantContent, text: item.text }];
      return { type: "message", role: item.role, content };
    }
    case "tool-call": {
      const { id, name, argumentsJson } = item.call;
      return { type: "function_call", call_id: id, name, arguments: argumentsJson };
    }
    case "tool-result":
      return { type: "function_call_output", call_id: item.callId, output: item.resultJson };
    default:
      return item satisfies never;
  }
}

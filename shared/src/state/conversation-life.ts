import type { LifeSpans } from "./life-spans.ts";
import type { ConversationRow } from "./ports/conversation-table.ts";

/** How much longer a row lives that is written now: as long as its session, and as long as its call, which is remembered for longer. */
export function conversationLifeMs(
  { callId, startedAtMs }: Pick<ConversationRow, "callId" | "startedAtMs">,
  { sessionMs, callMs }: Pick<LifeSpans, "sessionMs" | "callMs">,
  nowMs: number,
): number {
  return Math.max(sessionMs, callId === undefined ? 0 : startedAtMs + callMs - nowMs);
}

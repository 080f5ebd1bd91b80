/** Shows the text of a realtime model's reply as far as the agent's guardrails let it pass; one of them may stop the reply. */
import type { GuardedPiece } from "../../../pipeline/realtime/guarded-transcript.ts";
import type { RealtimeRepliesOptions, RealtimeReply } from "./realtime-reply.ts";

export function showWords(
  { timeline, guardrails, words: { agent }, plan: { turnId } }: RealtimeReply,
  pieces: readonly GuardedPiece[],
  { notify, onGuardrail, onStopped }: Pick<RealtimeRepliesOptions, "notify" | "onGuardrail" | "onStopped">,
): void {
  for (const { text, hits: names, stopped } of pieces) {
    if (names.length > 0) {
      const hit = { agent, names, action: stopped ? ("stop" as const) : ("replace" as const) };
      timeline.add("guardrail_hits", names.length);
      guardrails.add(hit);
      onGuardrail(turnId, hit);
    }
    if (stopped) {
      // The text runs ahead of the voice, so most of a forbidden sentence has not been heard yet.
      onStopped(turnId, text);
      return;
    }
    if (text !== "") notify({ type: "response", payload: { text, agent, turn_id: turnId, is_final: false } });
  }
}

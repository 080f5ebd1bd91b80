/** Shows the text of a realtime model's reply as far as the agent's guardrails let it pass; one of them may stop the reply. */
import type { GuardedPiece } from "../../../pipeline/realtime/guarded-transcript.ts";
import type { RealtimeRepliesOptions, RealtimeReply } from "./realtime-reply.ts";

export function showWords(
  { timeline, words: { agent }, plan: { turnId } }: RealtimeReply,
  pieces: readonly GuardedPiece[],
  { notify, onStopped }: Pick<RealtimeRepliesOptions, "notify" | "onStopped">,
): void {
  for (const { text, hits, stopped } of pieces) {
    if (hits.length > 0) timeline.add("guardrail_hits", hits.length);
    if (stopped) {
      // The text runs ahead of the voice, so most of a forbidden sentence has not been heard yet.
      onStopped(turnId, text);
      return;
    }
    if (text !== "") notify({ type: "response", payload: { text, agent, turn_id: turnId, is_final: false } });
  }
}

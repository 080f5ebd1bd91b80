/** When what happened in a reply of the cascade: the marks of its timeline, and its activities. */
import type { Playout } from "../../playout/playout.ts";
import type { ReplyPlan } from "../../turn/turn-effects.ts";
import type { OpenReply } from "./open-reply.ts";

/** On the session clock. */
export interface Recognition {
  /** Undefined if the start of the caller's speech was not detected. */
  readonly sinceMs: number | undefined;
  readonly atMs: number;
}

/** The caller's turn has ended, and this reply answers it. `recognition`: undefined if it was typed. */
export function markEndOfTurn(
  open: OpenReply,
  plan: ReplyPlan,
  { recognition, nowMs }: { readonly recognition: Recognition | undefined; readonly nowMs: number },
): void {
  const { timeline, preparedAtMs } = open;
  if (recognition !== undefined) markRecognition(open, plan, recognition);
  timeline.reach("end_of_turn_ms", nowMs);
  if (preparedAtMs !== undefined) timeline.reach("prepared_ms", preparedAtMs);
  if (plan.endOfTurn !== undefined) timeline.explain(plan.endOfTurn);
}

function markRecognition({ timeline }: OpenReply, { anchorMs }: ReplyPlan, { sinceMs, atMs }: Recognition): void {
  timeline.reach("recognised_ms", atMs);
  const startMs = Math.min(sinceMs ?? anchorMs, atMs);
  timeline.activities.add({ part: "recognition", name: "recognition", startMs, endMs: atMs, attributes: {} });
}

/** A clause is about to play. */
export function markClause(open: OpenReply, nowMs: number): void {
  const synthesis = { part: "synthesis", name: "synthesis", startMs: nowMs, attributes: {} } as const;
  open.synthesis ??= open.timeline.activities.begin(synthesis);
}

/** There is new audio in the track. */
export function markAudio(
  { timeline, track, answerFrom }: OpenReply,
  nowMs: number,
  playout: Pick<Playout, "untilHeardMs">,
): void {
  if (answerFrom === undefined || track.length <= answerFrom) return;
  timeline.reach("synthesis_first_audio_ms", nowMs);
  // After a filler the track is playing already, so the answer is heard as soon as the filler ends.
  if (answerFrom > 0) timeline.reach("first_audio_ms", nowMs + playout.untilHeardMs(answerFrom));
}

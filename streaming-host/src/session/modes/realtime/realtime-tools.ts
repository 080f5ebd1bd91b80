/** Runs the tools that a realtime model calls, returns their results and applies their effects. */
import { withdrawnMessage } from "@voice/shared/conversation/withdrawn-effects";
import { requestedEffects } from "../../../pipeline/requested-effects.ts";
import { planHandoff } from "../../../pipeline/cascade/plan-handoff.ts";
import { mayCallTools, runToolRound } from "../../../pipeline/tool-round.ts";
import type { ToolRunner } from "../../../pipeline/tool-round.ts";
import type { ReplyContext } from "../../reply/open-reply.ts";
import type { Link } from "./model-request.ts";
import type { RealtimeReply } from "./realtime-reply.ts";
import { remark } from "./realtime-settings.ts";

export interface RealtimeTools {
  readonly context: ReplyContext;
  readonly tools: ToolRunner;
  readonly link: Link;
  /** Aborted when nobody wants the running look-ups any more; they outlast a caller who speaks (TOOL-10). */
  readonly lookUps: AbortSignal;
  /** The tools have found something out, which the prompt may say. */
  readonly onRemembered: () => void;
}

export async function runTools(
  reply: RealtimeReply,
  { context, tools, link, lookUps, onRemembered }: RealtimeTools,
): Promise<void> {
  const { conversation, clock } = context;
  const { turnId, anchorMs } = reply.plan;
  const { agent, memory } = conversation;
  const { signal } = reply.abort;
  const round = await runToolRound(
    tools,
    {
      calls: reply.beginRound(),
      context: { turnId, agent, memory, before: reply.ran, dropped: lookUps },
      handoffs: reply.handoffCount,
      planHandoff: (wanted) => planHandoff(conversation.catalog, conversation.agent, wanted, conversation),
      wallNow: () => clock.wallNow(),
    },
    (notice) => {
      if (!signal.aborted) reply.sayNotice(notice);
    },
    signal,
  );
  const { outcomes, handoff, items } = round;
  reply.endRound(round);
  if (handoff === undefined) onRemembered();
  if (!reply.isDropped) {
    link((session) => {
      for (const { call, result } of outcomes) session.sendToolResult(call.id, JSON.stringify(result));
    });
    await reply.noticeOver();
  }
  const { heir, toolRounds: rounds } = reply;
  if (heir.abort.signal.aborted) {
    // EFFECT-2: the model has read that it was done, but nothing was, because the reply had ended before that.
    const withdrawn = reply.withdrawOutcomes(outcomes, heir);
    if (withdrawn !== undefined) link((session) => session.remember([remark(withdrawnMessage(withdrawn))]));
    return;
  }
  heir.takeEffects(requestedEffects(items));
  if (handoff !== undefined) heir.takeHandoff(handoff);
  const isLast = !mayCallTools(agent, { rounds, workedMs: clock.now() - anchorMs });
  if (isLast) heir.roundsSpent(rounds);
  heir.goOnAfter(round, isLast);
  // FAIL-4: the next connection learns the results from the history, and is asked as soon as it is open.
  if (reply.isDropped) return;
  conversation.places.goOnAfterOthers(clock.wallNow());
  reply.requestAfterTools();
}

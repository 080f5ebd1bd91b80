/** Runs the tools that a realtime model calls, returns their results and applies their effects. */
import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import type { Clock } from "@voice/shared/platform/clock";
import { askedEffects } from "../../../pipeline/asked-effects.ts";
import type { ToolCallOutcome } from "../../../pipeline/cascade/tool-call-outcome.ts";
import { withdrawnMessage } from "@voice/shared/conversation/withdrawn-effects";
import type { Withdrawal } from "@voice/shared/conversation/withdrawn-effects";
import { toHistoryItems } from "../../../pipeline/cascade/agent-loop.ts";
import { mayCallTools, roundsSpent } from "../../../pipeline/tool-rounds.ts";
import { planHandoff } from "../../../pipeline/cascade/plan-handoff.ts";
import { chooseHandoff } from "../../../pipeline/cascade/choose-handoff.ts";
import type { ChosenHandoff } from "../../../pipeline/cascade/choose-handoff.ts";
import type { HostEffect } from "../../conversation/host-effects.ts";
import { takeHandoff } from "../../conversation/taken-handoff.ts";
import { takeEffect, withdrawOutcomes } from "../../conversation/withdraw-effects.ts";
import { sayNotice } from "./bridge-wait.ts";
import { afterHandoff, nextRequest } from "./model-request.ts";
import type { RealtimeReply, RealtimeRepliesOptions } from "./realtime-reply.ts";
import { toolFinishedNotice, toolStartedNotice } from "../../output/tool-notices.ts";

/** Longer than any notice takes to generate; after this the service has lost it. */
const noticeLimitMs = 5000;

export async function runToolCalls(open: RealtimeReply, options: RealtimeRepliesOptions): Promise<void> {
  const { conversation, tools, notify, clock, link } = options;
  const calls = open.calls;
  open.calls = [];
  for (const call of calls) notify(toolStartedNotice(call, open.plan.turnId));
  const { agent, memory, language } = conversation;
  const onSlow = (notice: string): void => {
    if (!open.abort.signal.aborted) sayNotice(open, notice, options);
  };
  open.runningTools = calls.map(({ name }) => name);
  const ran = await tools.run(
    calls,
    { turnId: open.plan.turnId, agent, memory, before: open.ran, dropped: open.lookUps },
    onSlow,
    open.abort.signal,
  );
  open.ran = ran;
  open.runningTools = [];
  const { outcomes, handoff } = chooseHandoff(
    ran,
    open.handoffs.length,
    (wanted) => planHandoff(conversation.catalog, conversation.agent, wanted, conversation),
    language.sentences.handoffRefused,
  );
  const items: readonly HistoryItem[] = toHistoryItems(open.plan.turnId, agent.name, outcomes, clock.wallNow());
  conversation.append(items); // HIST-3
  for (const outcome of outcomes) {
    conversation.remember(outcome.memory);
    notify(toolFinishedNotice(outcome, open.plan.turnId));
  }
  open.timeline.addTools(outcomes, clock.now());
  if (handoff === undefined) options.onRemembered();
  if (!open.isDropped) {
    link((session) => {
      for (const { call, result } of outcomes) session.sendToolResult(call.id, JSON.stringify(result));
    });
    await noticeOver(open, clock);
  }
  const reply = open.successor ?? open;
  if (reply.abort.signal.aborted) {
    if (reply.withdrawal !== undefined) withdraw(open, outcomes, reply.withdrawal, options);
    return;
  }
  takeEffects(reply, askedEffects(items), options);
  reply.owesWords = handoff !== undefined || outcomes.every(({ effects }) => effects.length === 0);
  reply.isAskedAgain = false;
  reply.hasSucceeded ||= outcomes.some(({ status }) => status === "success");
  const ofHandoff = handoff && handOver(reply, handoff, options);
  if (!mayCallTools(agent, { rounds: open.toolRounds, workedMs: clock.now() - open.plan.anchorMs }))
    endTools(reply, open.toolRounds, options);
  const parts = [ofHandoff ?? [], reply.roundsSpent ? roundsSpent : []].flat();
  // FAIL-4: the next connection learns the results from the history, and is asked as soon as it is open.
  reply.instructions = parts.length === 0 ? undefined : parts.join("\n\n");
  if (!open.isDropped) reply.isAsked = link((session) => session.respond(nextRequest(reply)));
}

/** TOOL-11. */
function endTools(reply: RealtimeReply, rounds: number, { onRoundsSpent }: RealtimeRepliesOptions): void {
  reply.roundsSpent = true;
  onRoundsSpent(reply.plan.turnId, rounds);
}

/** EFFECT-2: the model has read that it was done, but nothing was, because the reply had ended before that. */
function withdraw(
  { words: { agent }, plan: { turnId } }: RealtimeReply,
  outcomes: readonly ToolCallOutcome[],
  why: Withdrawal,
  { conversation, clock, link }: RealtimeRepliesOptions,
): void {
  if (withdrawOutcomes(outcomes, why, conversation, { agent, turnId, timestampMs: clock.wallNow() }))
    link((session) => session.remember([{ role: "user", text: `[${withdrawnMessage(why)}]` }]));
}

/** What the reply announces is done when it was heard. */
export function takeEffects(
  reply: RealtimeReply,
  effects: readonly HostEffect[],
  { onEffect }: Pick<RealtimeRepliesOptions, "onEffect">,
): void {
  for (const effect of effects) {
    reply.hasActed = true;
    takeEffect(effect, reply.effects, onEffect);
  }
}

/** A reply goes on in the place of one that was lost, whose tools may have asked for something, and may still be running. */
export function succeed(
  lost: RealtimeReply,
  reply: RealtimeReply,
  options: Pick<RealtimeRepliesOptions, "onEffect">,
): void {
  lost.successor = reply;
  takeEffects(reply, lost.effects, options);
}

/** The service makes one response at a time, so a notice that never ends must not block the answer. */
async function noticeOver(open: RealtimeReply, clock: Clock): Promise<void> {
  const { notice } = open;
  if (notice === undefined || open.abort.signal.aborted) return;
  const stopWaiting = (): void => notice.resolve(undefined);
  open.abort.signal.addEventListener("abort", stopWaiting, { once: true });
  const cancelTimer = clock.setTimer(noticeLimitMs, stopWaiting);
  await notice.promise;
  cancelTimer();
  open.notice = undefined;
}

/** Returns additional instructions for the next response. */
function handOver(open: RealtimeReply, handoff: ChosenHandoff, options: RealtimeRepliesOptions): string {
  open.words.speakAs(handoff.to);
  open.handoffs.push(takeHandoff(handoff, options));
  open.greeting = handoff.greeting;
  return afterHandoff(handoff.greeting);
}

/** The tools that a realtime model calls: run by us, their results given back, their effects taken. */
import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import { toHistoryItems } from "../pipeline/cascade/agent-loop.ts";
import type { ToolCallOutcome } from "../pipeline/cascade/agent-loop.ts";
import { planHandoff } from "../pipeline/cascade/plan-handoff.ts";
import { createGuardedTranscript } from "../pipeline/realtime/guarded-transcript.ts";
import type { RealtimeReply, RealtimeRepliesOptions } from "./realtime-reply.ts";
import { toolFinishedNotice, toolStartedNotice } from "./tool-notices.ts";

export async function runToolCalls(open: RealtimeReply, options: RealtimeRepliesOptions): Promise<void> {
  const { conversation, tools, notify, clock, link } = options;
  const calls = open.calls;
  open.calls = [];
  for (const call of calls) notify(toolStartedNotice(call, open.turnId));
  const { agent, memory } = conversation;
  const outcomes = await tools.run(calls, { turnId: open.turnId, agent, memory }, () => undefined, open.abort.signal);
  const items: readonly HistoryItem[] = toHistoryItems(open.turnId, agent.name, outcomes, clock.wallNow());
  conversation.append(items); // HIST-3
  for (const outcome of outcomes) {
    conversation.remember(outcome.memory);
    notify(toolFinishedNotice(outcome, open.turnId));
  }
  open.timeline.add("tools_ms", Math.max(0, ...outcomes.map(({ durationMs }) => durationMs)));
  if (open.isDropped) return;
  link((session) => {
    for (const { call, result } of outcomes) session.sendToolResult(call.id, JSON.stringify(result));
  });
  if (open.abort.signal.aborted) return;
  const instructions = takeEffects(open, outcomes, options);
  link((session) => session.respond(instructions === undefined ? {} : { instructions }));
}

/** Carries out what the tools want; returns what the next response must be told. */
function takeEffects(
  open: RealtimeReply,
  outcomes: readonly ToolCallOutcome[],
  options: RealtimeRepliesOptions,
): string | undefined {
  const { conversation, notify } = options;
  const effects = outcomes.flatMap((outcome) => outcome.effects);
  for (const effect of effects) {
    if (effect.type === "transfer" || effect.type === "escalate") open.effects.push(effect);
    else if (effect.type !== "handoff") options.onEffect(effect);
  }
  open.hasActed ||= effects.some(({ type }) => type !== "handoff");
  const wanted = effects.findLast((effect) => effect.type === "handoff");
  const handoff = wanted && planHandoff(conversation.catalog, conversation.agent, wanted, conversation);
  if (handoff === undefined) return undefined;
  open.agent = handoff.to.name;
  open.transcript = createGuardedTranscript(handoff.to.guardrails ?? []);
  conversation.takeHandoff(handoff);
  notify({ type: "handoff", payload: { from: handoff.from.name, to: handoff.to.name, type: handoff.type } });
  options.onAgentChanged();
  return handoff.greeting === undefined
    ? "You have just taken over this call without the caller noticing. Go on with what they asked for."
    : `You have just taken over this call. Begin with these words: "${handoff.greeting}" Then go on with what the caller asked for.`;
}

/** Processes the end of a reply in all modes: history, metrics, recording, and notices to the peer. */
import type { Clock } from "@voice/shared/platform/clock";
import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import type { SessionNotice } from "../../transports/transport.ts";
import type { Conversation } from "../conversation/conversation.ts";
import type { AgentWords, SessionRecorder } from "../recording/session-recorder.ts";
import type { ReplyPlan } from "../turn/turn-effects.ts";
import { beganAt } from "./began-at.ts";
import type { ReplyEnding, SessionProbe } from "./session-probe.ts";
import type { SpokenPart } from "./spoken-parts.ts";
import type { TurnTimeline } from "./turn-timeline.ts";
import type { GuardrailHits } from "../../pipeline/guardrail-hit.ts";

/** What was heard of a reply; empty if nothing was. */
export interface HeardWords {
  /** By agent. */
  readonly parts: readonly SpokenPart[];
  /** The same in lines, for the recording. */
  readonly words: readonly AgentWords[];
}

export interface FinishedReply extends HeardWords {
  readonly plan: ReplyPlan;
  readonly timeline: TurnTimeline;
  /** The active agent; after a handoff, the last one. */
  readonly agent: string;
  readonly ending: ReplyEnding;
  /** Why the model did not complete the reply. */
  readonly cut?: HistoryItem["cut"];
  readonly guardrails: GuardrailHits;
}

export interface ReplyKeepers {
  readonly conversation: Conversation;
  readonly recorder: SessionRecorder;
  readonly notify: (notice: SessionNotice) => void;
  readonly clock: Clock;
  readonly probe: SessionProbe;
}

/** Turns in which the caller spoke, understood or not, and which the agent answers in its own words. Only these have a latency. */
export function isAnswer({ kind }: ReplyPlan): boolean {
  return kind === "answer" || kind === "clarification";
}

export function keepReply(reply: FinishedReply, { conversation, recorder, notify, clock, probe }: ReplyKeepers): void {
  const { plan, timeline, agent, parts, words, ending, cut, guardrails } = reply;
  const interrupted = ending !== "complete";
  const isBrokenOff = interrupted && ending !== "barge_in" && ending !== "superseded";
  const { turnId } = plan;
  const timestampMs = clock.wallNow();
  const endMs = clock.now();
  timeline.reach("reply_over_ms", endMs);
  const marks = isAnswer(plan) ? timeline.since(plan.anchorMs) : undefined;
  recorder.agentSaid({ turnId, words, interrupted });
  const role = plan.kind === "announcement" ? "system" : "assistant"; // the service's text, not the agent's
  const items = parts.map((part, index): HistoryItem => ({
    role,
    content: part.text,
    agent: part.agent,
    turnId,
    timestampMs,
    interrupted: interrupted && index === parts.length - 1,
    ...(plan.kind === "line" && { author: "operator" as const }),
    ...(isBrokenOff && index === parts.length - 1 && { brokenOff: true as const }),
    ...(cut !== undefined && index === parts.length - 1 && { cut }),
    ...(guardrails.of(part.agent).length > 0 && { guardrails: guardrails.of(part.agent) }),
  }));
  const why = timeline.why.length > 0 ? { why: timeline.why } : {};
  const stored = conversation.append(items, marks && { turnId, agent, timestampMs, marks, ...why });
  if (isAnswer(plan)) conversation.saveMemory();
  if (plan.kind === "announcement" && !interrupted && items.length > 0) conversation.markAnnounced();
  for (const item of stored)
    notify({
      type: "response",
      payload: {
        text: item.content,
        agent: item.agent,
        turn_id: turnId,
        is_final: true,
        ...beganAt(item.begunAtMs),
        ...(isAnswer(plan) && { is_answer: true as const }),
        interrupted: item.interrupted,
      },
    });
  // A page that has shown the model's text must be notified that it was not heard.
  if (items.length === 0)
    notify({ type: "response", payload: { text: "", agent, turn_id: turnId, is_final: true, interrupted } });
  if (marks !== undefined)
    notify({
      type: "event",
      payload: {
        name: "turn_metrics",
        turn_id: turnId,
        metrics: marks,
        ...why,
      },
    });
  if (!interrupted) notify({ type: "event", payload: { name: "playout_finished", turn_id: turnId } });
  timeline.activities.close(endMs);
  probe.replied({
    turnId,
    kind: plan.kind,
    agent,
    ending,
    cut,
    anchorMs: isAnswer(plan) ? plan.anchorMs : undefined,
    endMs,
    endWallMs: timestampMs,
    marks: marks ?? {},
    activities: timeline.activities.all,
  });
}

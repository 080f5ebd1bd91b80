/** Keeps what a realtime model's reply answers in writing, and what was heard of it, and carries out what its tools asked for, or takes it back. */
import { withdrawnMessage } from "@voice/shared/conversation/withdrawn-effects";
import type { SaidPart } from "../../../pipeline/realtime/reply-words.ts";
import { callerItem } from "../../conversation/caller-item.ts";
import { takeHandoffsBack } from "../../conversation/taken-handoff.ts";
import { settleEffects } from "../../conversation/withdraw-effects.ts";
import { agentWords } from "../../output/agent-words.ts";
import { keepReply } from "../../output/finished-reply.ts";
import type { ReplyEnding } from "../../output/session-probe.ts";
import type { RealtimeRepliesOptions, RealtimeReply } from "./realtime-reply.ts";

export interface HeardReply {
  readonly parts: readonly SaidPart[];
  /** How much of the track was heard. */
  readonly samples: number;
  readonly ending: ReplyEnding;
}

export function keepTyped(
  { plan: { text, turnId }, words: { agent } }: RealtimeReply,
  { conversation, clock }: Pick<RealtimeRepliesOptions, "conversation" | "clock">,
): void {
  conversation.append([callerItem({ text, agent, turnId, timestampMs: clock.wallNow() })]);
}

export function keepHeard(
  open: RealtimeReply,
  { parts, samples, ending }: HeardReply,
  options: RealtimeRepliesOptions,
): void {
  const { plan, timeline, cut, guardrails } = open;
  const { agent } = open.words;
  const text = parts.map((part) => part.text).join(" ");
  if (open.responses.size === 0 && text === "") return; // the service had not begun, so there is nothing to store and nothing was shown
  // Without word times, assume that every character takes equally long.
  const words = agentWords(text, parts, (textEnd) => (samples * textEnd) / Math.max(1, text.length));
  keepReply({ plan, timeline, agent, parts, words, ending, cut, guardrails }, options);
  // A connection that was opened while it was heard has got the history without it, and would say it again.
  if (open.isDropped && text !== "") options.link((session) => session.remember([{ role: "assistant", text }]));
}

/** EFFECT-2. The service has no history of ours, so it is told what was withdrawn. */
export function settleReplyEffects(
  open: RealtimeReply,
  { ending, parts }: Pick<HeardReply, "ending" | "parts">,
  options: RealtimeRepliesOptions,
): void {
  const { effects, withdrawal, words, plan } = open;
  const place = { agent: words.agent, turnId: plan.turnId, timestampMs: options.clock.wallNow() };
  const isTakenBack =
    withdrawal === "talked_over" && takeHandoffsBack(open.handoffs, parts, options, place) !== undefined;
  const withdrawn =
    settleEffects({ effects, withdrawal, ending, place }, options) ?? (isTakenBack ? withdrawal : undefined);
  if (withdrawn !== undefined)
    options.link((session) => session.remember([{ role: "user", text: `[${withdrawnMessage(withdrawn)}]` }]));
}

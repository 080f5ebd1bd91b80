/**
 * Decides from the history alone how a conversation continues after another host has taken over its call
 * (docs/calls.md, TAKE). Pure.
 */
import { unknownOutcome } from "@voice/shared/tools/outcome";
import type { BegunCalls, HistoryItem } from "@voice/shared/state/ports/session-store";
import { requestedEffects } from "../../pipeline/requested-effects.ts";
import type { FirstMove } from "../turn/turn-state.ts";
import { isWholeTurn } from "./caller-item.ts";
import type { HostEffect } from "./host-effects.ts";

export type TakeoverPoint =
  /** Nobody has been heard yet. */
  | { readonly type: "greet" }
  /** TAKE-2: the caller's words are unanswered, or the answer was not heard in full. */
  | { readonly type: "answer" }
  /** The caller has been answered. `promised`: effects on the call that its reply has announced. */
  | { readonly type: "listen"; readonly promised: readonly HostEffect[] };

export function findTakeoverPoint(history: readonly HistoryItem[]): TakeoverPoint {
  const last = history.findLast(isSpoken);
  if (last === undefined) return { type: "greet" };
  if (last.role === "user") return { type: "answer" };
  if (!last.interrupted)
    return { type: "listen", promised: requestedEffects(history.filter(isToolResultOf(last.turnId))) };
  const question = history.findLastIndex(isWholeTurn);
  const spoken = history.slice(question + 1).filter(isSpoken);
  // A reprompt that was cut off does not count as an unheard answer: the caller has already had one.
  const wasAnswered = spoken.some(({ turnId, interrupted }) => turnId !== last.turnId && !interrupted);
  if (wasAnswered) return { type: "listen", promised: [] };
  return question === -1 ? { type: "greet" } : { type: "answer" };
}

/**
 * TAKE-3i: the first takeover since when nothing was said but the answer that was owed. What the caller said before it may be lost, and nobody
 * has asked for it.
 */
export function openGapSince(takenOverAtMs: readonly number[], history: readonly HistoryItem[]): number | undefined {
  const said = history.filter(isSpoken);
  return takenOverAtMs.find((atMs) => {
    const before = said.filter(({ timestampMs }) => timestampMs <= atMs);
    const [first, ...others] = said.slice(before.length);
    return first === undefined || (others.length === 0 && first.role === "assistant" && isOwedAnswer(before));
  });
}

function isOwedAnswer(before: readonly HistoryItem[]): boolean {
  return findTakeoverPoint(before).type === "answer";
}

/** Whoever comes back within this time still waits for the answer, and after it has begun anew. */
const answerOwedMs = 60_000;

/** HS-4a: how a conversation continues that a client resumes. It is greeted, unless its last words were lost with the connection. */
export function findReturnPoint(history: readonly HistoryItem[], nowMs: number): TakeoverPoint {
  const last = history.findLast(isSpoken);
  const isOwedAnswer = last?.role === "user" && nowMs - last.timestampMs <= answerOwedMs;
  return { type: isOwedAnswer ? "answer" : "greet" };
}

/** TAKE-1: resuming on the phone means that another host has lost the running call. */
export function isCallTakeover(opened: {
  readonly resumed: boolean;
  readonly transport: { readonly channel: string };
  readonly conversation: { readonly knownHistory: readonly HistoryItem[] };
}): boolean {
  if (!opened.resumed || opened.transport.channel !== "phone") return false;
  return findTakeoverPoint(opened.conversation.knownHistory).type !== "greet";
}

/** The agent's first words after the takeover. An agent without a greeting waits for the caller. */
export function firstMoveAt({ type }: TakeoverPoint, { hasGreeting }: { readonly hasGreeting: boolean }): FirstMove {
  if (type === "answer") return "answer";
  return type === "greet" && hasGreeting ? "greet" : "listen";
}

/** TAKE-4: tool calls that a host had begun when it died. They may have been carried out, so they are not repeated. */
export function resultsOfLostCalls(
  begun: BegunCalls | undefined,
  history: readonly HistoryItem[],
  { nowMs: timestampMs, language }: { readonly nowMs: number; readonly language: string | undefined },
): readonly HistoryItem[] {
  const known = new Set(history.map(({ toolCallId }) => toolCallId));
  const calls = begun?.calls.filter(({ id }) => !known.has(id)) ?? [];
  if (begun === undefined || calls.length === 0) return [];
  const { turnId, agent } = begun;
  const common = { turnId, agent, timestampMs, interrupted: false };
  const why = "The conversation went on elsewhere while it ran.";
  const content = JSON.stringify(unknownOutcome(why, {}, { language }).result);
  return [
    { ...common, role: "assistant", content: "", toolCalls: calls },
    ...calls.map(({ id, name }): HistoryItem => ({ ...common, role: "tool", content, toolCallId: id, toolName: name })),
  ];
}

function isSpoken(item: HistoryItem): boolean {
  return item.content !== "" && (isWholeTurn(item) || item.role === "assistant");
}

function isToolResultOf(turnId: string): (item: HistoryItem) => boolean {
  return (item) => item.role === "tool" && item.turnId === turnId;
}

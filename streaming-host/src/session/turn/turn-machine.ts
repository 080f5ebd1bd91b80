/**
 * The turn machine decides whose turn it is, when a turn ends, and what is an interruption. Pure: a state and an event
 * go in, a state and effects come out. It knows no clock, no socket and no provider; docs/conversation.md is its
 * specification.
 *
 * This file dispatches each event; each rule is in exactly one of the files that it imports.
 */
import type { CallerRules } from "./caller-rules.ts";
import { onEffectEnded, onEffectStarted, onHoldChanged, sayPendingWords } from "./effects-on-call.ts";
import { endTurn } from "./end-of-turn.ts";
import {
  makeUpForFailedReply,
  onDeadAir,
  onModelLost,
  onReplyFailed,
  onReplyLost,
  onWordsUnknown,
} from "./failures.ts";
import { hasOnlyFiller, onFillerDue, onReplyWritten } from "./fillers.ts";
import { holdForSpeech, onLongSpeechOverReply } from "./interruption.ts";
import { onEndRequested, onVoicemail, endWithFarewell, endWithMessage } from "./ending.ts";
import { onLineCut, sayNextLine, takeLine } from "./operator-lines.ts";
import { ownTurns } from "./own-turns.ts";
import { besidePerson, onPersonJoined, onPersonLeft, onPersonSaid } from "./person.ts";
import { onAnswerLost, onResponseStarted, serviceTurns } from "./service-turns.ts";
import { onCallerSilent, restartIdle } from "./silence.ts";
import { continueAfterAnnouncement, giveOwedAnswer, noticeCutKeys, startSession } from "./takeover.ts";
import type { TurnEffect, TurnTimer } from "./turn-effects.ts";
import type { TurnEvent } from "./turn-events.ts";
import type { TurnPolicy } from "./turn-policy.ts";
import type { TurnSettings } from "./turn-settings.ts";
import { runningReply, userText } from "./turn-state.ts";
import type { TurnState } from "./turn-state.ts";
import { TurnStep } from "./turn-step.ts";
import type { Silence } from "./turn-step.ts";
import { writtenTurns } from "./written-turns.ts";

export interface TurnResult {
  readonly state: TurnState;
  readonly effects: readonly TurnEffect[];
}

/**
 * `silence` is called as soon as it is certain that the effects will hold or interrupt the agent, because the remaining work of such a step
 * (has the caller finished?) takes longer than notifying the peer (BARGE-1).
 */
export function stepTurn(
  state: TurnState,
  event: TurnEvent,
  settings: TurnSettings,
  silence: Silence = () => undefined,
): TurnResult {
  if (state.agent.kind === "ended") return { state, effects: afterTheEnd(event) };
  const step = new TurnStep(state, settings, event.atMs, silence);
  if (isOfCaller(event)) {
    if (!state.isDeaf) onCaller(step, event);
  } else onOther(step, event);
  makeUpForFailedReply(step);
  giveOwedAnswer(step);
  sayNextLine(step);
  return { state: step.state, effects: step.effects };
}

/** An operator may request a line before the page shows that the conversation is over. */
function afterTheEnd(event: TurnEvent): readonly TurnEffect[] {
  if (event.type !== "line-given") return [];
  const line = { text: event.text, id: event.lineId };
  return [{ type: "refuse-line", line, reason: "conversation_ended" }];
}

const callerRules: Readonly<Record<TurnPolicy["turnsEndedBy"], CallerRules>> = {
  us: ownTurns,
  service: serviceTurns,
  nobody: writtenTurns,
};

function callerRulesNow({ state, settings }: TurnStep): CallerRules {
  return state.withPerson ? besidePerson : callerRules[settings.policy.turnsEndedBy];
}

const callerEvents = [
  "sound-started",
  "speech-started",
  "speech-stopped",
  "voice-judged",
  "partial",
  "final",
  "whole-turn",
  "caller-finished",
] as const;

/** Events from the other party. They are ignored if that is an answering machine. */
type CallerEvent = Extract<TurnEvent, { type: (typeof callerEvents)[number] }>;
type OtherEvent = Exclude<TurnEvent, CallerEvent>;

const callerEventTypes: ReadonlySet<string> = new Set(callerEvents);

function isOfCaller(event: TurnEvent): event is CallerEvent {
  return callerEventTypes.has(event.type);
}

function onCaller(step: TurnStep, event: CallerEvent): void {
  const rules = callerRulesNow(step);
  switch (event.type) {
    case "sound-started":
      return rules.onSoundStarted?.(step, event.sinceMs);
    case "speech-started":
      return rules.onSpeechStarted?.(step, event.sinceMs);
    case "speech-stopped":
      return rules.onSpeechStopped?.(step, event.stoppedMs, event.prosody);
    case "voice-judged":
      return rules.onVoiceJudged?.(step, event.stoppedMs, event.probability);
    case "partial":
      return rules.onPartial?.(step, event);
    case "final":
      return rules.onFinal?.(step, event);
    case "whole-turn":
      return rules.onWholeTurn?.(step, event.text);
    case "caller-finished":
      return rules.onCallerFinished?.(step);
  }
}

function onOther(step: TurnStep, event: OtherEvent): void {
  switch (event.type) {
    case "session-started":
      return startSession(step, event);
    case "words-unknown":
      return onWordsUnknown(step);
    case "key-pressed":
      noticeCutKeys(step);
      return restartIdle(step);
    case "paused":
      if (event.isPaused === step.state.isPaused) return;
      step.patch({ isPaused: event.isPaused });
      if (event.isPaused) callerRulesNow(step).onPaused?.(step);
      else onFloorFree(step);
      return restartIdle(step);
    case "response-started":
      return onResponseStarted(step);
    case "reply-audible":
      return onAudible(step, event.turnId);
    case "reply-written":
      return onReplyWritten(step, event.turnId);
    case "reply-drained":
      return onDrained(step, event.turnId);
    case "reply-failed":
      return onReplyFailed(step, event.turnId, event.failure);
    case "reply-lost":
      return onReplyLost(step, event);
    case "answer-lost":
      return onAnswerLost(step);
    case "reply-stopped":
      if (runningReply(step.state.agent)?.turnId !== event.turnId) return;
      step.cancelReply("superseded");
      return step.beginReply("replacement", { text: event.text });
    case "model-lost":
      return onModelLost(step, event);
    case "end-requested":
      return onEndRequested(step, event.reason);
    case "effect-started":
      return onEffectStarted(step, event);
    case "hold-changed":
      onHoldChanged(step, event);
      if (event.onHold) onFloorFree(step); // spoken over the reply that the music cuts off
      return;
    case "effect-ended":
      return onEffectEnded(step, event);
    case "farewell-requested":
      return endWithFarewell(step, event.reason);
    case "voicemail-answered":
      return onVoicemail(step);
    case "voicemail-refuted":
      step.patch({ isDeaf: false });
      return restartIdle(step);
    case "last-words":
      return endWithMessage(step, event.text, event.reason);
    case "line-given":
      return takeLine(step, { text: event.text, id: event.lineId });
    case "line-cut":
      return onLineCut(step, event);
    case "person-joined":
      return onPersonJoined(step);
    case "person-left":
      return onPersonLeft(step);
    case "person-said":
      return onPersonSaid(step, event);
    case "timer":
      return onTimer(step, event.timer);
  }
}

function onFloorFree(step: TurnStep): void {
  callerRulesNow(step).onFloorFree?.(step);
}

function onAudible(step: TurnStep, turnId: string): void {
  const { agent } = step.state;
  if (agent.kind !== "thinking" || agent.reply.turnId !== turnId) return;
  if (!hasOnlyFiller(agent)) step.clearTimers("dead-air");
  step.setAgent({ kind: "speaking", reply: agent.reply });
}

function onDrained(step: TurnStep, turnId: string): void {
  const { agent, endReason } = step.state;
  const reply = runningReply(agent);
  if (reply?.turnId !== turnId) return;
  step.freeFloor();
  if (reply.kind === "answer" || reply.kind === "clarification") step.patch({ failures: 0 });
  if (endReason !== undefined) {
    step.end(endReason);
    return;
  }
  if (reply.kind === "announcement" && continueAfterAnnouncement(step)) return;
  onFloorFree(step);
  restartIdle(step);
  sayPendingWords(step);
}

function onTimer(step: TurnStep, timer: TurnTimer): void {
  const { agent, user } = step.state;
  switch (timer) {
    case "end-of-turn":
      if (agent.kind === "listening") endTurn(step);
      return;
    case "flush":
      return step.emit({ type: "flush-recogniser" });
    case "turn-watchdog":
      if (agent.kind === "listening") endTurn(step);
      else if (userText(user) === "") step.clearUserText();
      return restartIdle(step);
    case "hold":
      if (user.speech.kind === "speaking") holdForSpeech(step, user.speech.sinceMs);
      return;
    case "confirm-interruption":
      return onLongSpeechOverReply(step);
    case "false-alarm":
      return callerRulesNow(step).onFalseAlarmDue?.(step);
    case "idle":
      return onCallerSilent(step);
    case "dead-air":
      return onDeadAir(step);
    case "filler":
      return onFillerDue(step);
  }
}

/**
 * The turn machine: who has the floor, when a turn ends, what interrupts whom. Pure: a state and an event go in, a state
 * and effects come out. It knows no clock, no socket and no provider; docs/conversation.md is its specification.
 */
import { considerEndOfTurn, endTurn } from "./end-of-turn.ts";
import { askAgain, askForWhatWasLost, noticeFragment, startSession } from "./takeover.ts";
import {
  hold,
  judgeWords,
  mayBeCutOff,
  onLongSpeechOverReply,
  onSpeechOverReply,
  onSpeechOverReplyEnded,
  resume,
} from "./interruption.ts";
import { farewellOf, isLastWords } from "./turn-effects.ts";
import type { EffectWords, TurnEffect, TurnTimer } from "./turn-effects.ts";
import type { TurnEvent } from "./turn-events.ts";
import { maxClarifications, maxFailures, maxReprompts, notUnderstoodMs } from "./turn-settings.ts";
import type { TurnSettings } from "./turn-settings.ts";
import { emptyUserTurn, userText } from "./turn-state.ts";
import type { TurnState } from "./turn-state.ts";
import { TurnStep } from "./turn-step.ts";

export interface TurnResult {
  readonly state: TurnState;
  readonly effects: readonly TurnEffect[];
}

export function stepTurn(state: TurnState, event: TurnEvent, settings: TurnSettings): TurnResult {
  if (state.agent.kind === "ended") return { state, effects: [] };
  const step = new TurnStep(state, settings, event.atMs);
  handle(step, event);
  return { state: step.state, effects: step.effects };
}

/** What comes from the other side. */
const callerEvents: ReadonlySet<TurnEvent["type"]> = new Set<TurnEvent["type"]>([
  "speech-started",
  "speech-stopped",
  "partial",
  "final",
  "whole-turn",
  "caller-finished",
]);

function handle(step: TurnStep, event: TurnEvent): void {
  if (step.state.isDeaf && callerEvents.has(event.type)) return;
  switch (event.type) {
    case "session-started":
      if (event.announces === true) {
        step.patch({ owesGreeting: event.opening === "greet" });
        step.beginReply("announcement", "", event.atMs, false);
      } else startSession(step, event.opening, event.hasGap ?? false);
      return;
    case "speech-started":
      step.clearTimers("idle");
      noticeFragment(step, event.sinceMs);
      step.setUser({ speech: { kind: "speaking", sinceMs: event.sinceMs }, finished: false });
      if (step.state.lateFinal !== undefined)
        step.patch({ lateFinal: { speechSinceMs: step.state.lateFinal.speechSinceMs ?? event.sinceMs } });
      onSpeechOverReply(step, event.sinceMs);
      considerEndOfTurn(step);
      return;
    case "speech-stopped":
      onSpeechStopped(step, event.stoppedMs);
      onSpeechOverReplyEnded(step, event.stoppedMs);
      considerEndOfTurn(step);
      return;
    case "partial":
      if (event.text === step.state.user.partial || isLate(step)) return;
      step.clearTimers("idle");
      step.setUser({ partial: event.text });
      judgeWords(step, false, Number.POSITIVE_INFINITY);
      considerEndOfTurn(step);
      return;
    case "final":
      if (!takeLateFinal(step, event.endedMs)) onFinal(step, event.text, event.endedMs, event.replyRemainingMs);
      return;
    case "whole-turn":
      onWholeTurn(step, event.text);
      return;
    case "key-pressed":
      restartIdle(step);
      return;
    case "caller-finished":
      onSpeechStopped(step, event.atMs);
      step.setUser({ finished: true });
      step.emit({ type: "flush-recogniser" });
      considerEndOfTurn(step);
      return;
    case "paused":
      step.patch({ isPaused: event.isPaused });
      if (event.isPaused) onSpeechStopped(step, event.atMs);
      considerEndOfTurn(step);
      restartIdle(step);
      return;
    case "reply-audible":
      onAudible(step, event.turnId);
      return;
    case "reply-drained":
      onDrained(step, event.turnId);
      return;
    case "reply-failed":
      onFailed(step, event.turnId);
      return;
    case "end-requested":
      if (step.state.agent.kind === "listening") step.end(event.reason);
      else step.patch({ endReason: event.reason });
      return;
    case "effect-started":
      step.patch({ effectsRunning: step.state.effectsRunning + 1, onHold: step.state.onHold || event.isHold });
      if (event.isHold) step.patch({ gap: undefined }); // nothing was said into the music
      step.clearTimers("idle");
      restartIdle(step);
      return;
    case "effect-ended":
      onEffectEnded(step, event.isHold, event.words);
      return;
    case "farewell-requested":
      sayFarewell(step, event.reason);
      return;
    case "machine-answered":
      step.cancelReply("superseded");
      step.discardPrepared();
      step.patch({ isDeaf: true, user: emptyUserTurn });
      step.clearTimers("idle", "end-of-turn", "flush", "turn-watchdog");
      return;
    case "last-words":
      step.cancelReply("superseded");
      step.discardPrepared();
      step.patch({ endReason: event.reason });
      if (event.text === "") step.end(event.reason);
      else step.beginReply("message", event.text, step.nowMs, false);
      return;
    case "timer":
      onTimer(step, event.timer);
  }
}

/** Nothing new has been said since the last turn ended without its final. */
function isLate(step: TurnStep): boolean {
  const { lateFinal } = step.state;
  return lateFinal !== undefined && lateFinal.speechSinceMs === undefined;
}

/** True for the final that the last turn did not wait for. Recognisers report in order, so what follows it is new. */
function takeLateFinal(step: TurnStep, endedMs: number): boolean {
  const { lateFinal } = step.state;
  if (lateFinal === undefined) return false;
  step.patch({ lateFinal: undefined });
  return lateFinal.speechSinceMs === undefined || endedMs < lateFinal.speechSinceMs;
}

function onSpeechStopped(step: TurnStep, stoppedMs: number): void {
  const { speech } = step.state.user;
  const lastedMs = speech.kind === "speaking" ? stoppedMs - speech.sinceMs : 0;
  step.setUser({ speech: { kind: "stopped", stoppedMs, lastedMs }, anchorMs: stoppedMs });
}

function onFinal(step: TurnStep, text: string, endedMs: number, replyRemainingMs: number): void {
  const { user } = step.state;
  // Where the detector heard nothing, the recogniser's own end is the anchor, never a moment to come.
  const anchorMs = user.speech.kind === "quiet" ? Math.min(endedMs, step.nowMs) : user.anchorMs;
  step.setUser({ partial: "", finals: text === "" ? user.finals : [...user.finals, text], anchorMs });
  if (text !== "") step.clearTimers("idle");
  judgeWords(step, true, replyRemainingMs);
  const isNothing = userText(step.state.user) === "" && step.state.user.speech.kind !== "speaking";
  if (isNothing) closeEmptyTurn(step);
  else considerEndOfTurn(step);
}

/** TURN-13: there was sound but no word in it. How to ask again, and when to give up, is the agent's to decide. */
function closeEmptyTurn(step: TurnStep): void {
  const { agent, clarifications, user } = step.state;
  const lastedMs = user.speech.kind === "stopped" ? user.speech.lastedMs : 0;
  if (agent.kind === "listening" && askForWhatWasLost(step)) return;
  step.clearUserText();
  considerEndOfTurn(step);
  if (agent.kind === "listening" && lastedMs >= notUnderstoodMs && clarifications < maxClarifications) {
    step.patch({ clarifications: clarifications + 1 });
    step.beginReply("clarification", "", Math.min(user.anchorMs ?? step.nowMs, step.nowMs), false);
  } else restartIdle(step);
}

function onWholeTurn(step: TurnStep, text: string): void {
  const { agent } = step.state;
  step.setUser({ finals: [...step.state.user.finals, text], anchorMs: step.nowMs });
  if (agent.kind !== "listening" && agent.kind !== "ended" && !mayBeCutOff(agent.reply)) return;
  step.cancelReply("barge_in");
  step.patch({ gap: undefined }); // whole, whatever was lost before
  endTurn(step);
}

function onAudible(step: TurnStep, turnId: string): void {
  const { agent } = step.state;
  if (agent.kind !== "thinking" || agent.reply.turnId !== turnId) return;
  step.clearTimers("dead-air");
  step.setAgent({ kind: "speaking", reply: agent.reply });
}

function onDrained(step: TurnStep, turnId: string): void {
  const { agent, endReason } = step.state;
  if (agent.kind === "listening" || agent.kind === "ended" || agent.reply.turnId !== turnId) return;
  step.clearTimers("dead-air", "hold", "confirm-interruption", "false-alarm");
  step.setAgent({ kind: "listening" });
  if (agent.reply.kind === "answer" || agent.reply.kind === "clarification") step.patch({ failures: 0 });
  if (endReason !== undefined) {
    step.end(endReason);
    return;
  }
  if (agent.reply.kind === "announcement" && step.state.owesGreeting) {
    step.patch({ owesGreeting: false });
    step.beginReply("greeting", "", step.nowMs, false);
    return;
  }
  considerEndOfTurn(step);
  restartIdle(step);
  sayOwedWords(step);
}

function onEffectEnded(step: TurnStep, isHold: boolean, words: EffectWords | undefined): void {
  step.patch({
    effectsRunning: Math.max(0, step.state.effectsRunning - 1),
    onHold: step.state.onHold && !isHold,
    owedWords: words ?? step.state.owedWords,
  });
  restartIdle(step);
  sayOwedWords(step);
}

/** When nobody speaks: the caller's own words go first, and their answer too. */
function sayOwedWords(step: TurnStep): void {
  const { agent, user, owedWords } = step.state;
  if (owedWords === undefined || agent.kind !== "listening") return;
  if (user.speech.kind === "speaking" || userText(user) !== "") return;
  step.patch({ owedWords: undefined });
  step.beginReply(owedWords, "", step.nowMs, false);
}

function onFailed(step: TurnStep, turnId: string): void {
  const { agent, failures } = step.state;
  if (agent.kind === "listening" || agent.kind === "ended" || agent.reply.turnId !== turnId) return;
  const wasFallback = agent.reply.kind === "apology" || isLastWords(agent.reply.kind);
  step.cancelReply("dead_air");
  // FAIL-5: these words are fixed. If even they cannot be heard, there is nobody left who could speak.
  if (wasFallback) step.end("voice_failed");
  else if (failures + 1 >= maxFailures) sayFarewell(step, "too_many_failures");
  else {
    step.patch({ failures: failures + 1 });
    step.beginReply("apology", "", step.nowMs, false);
  }
}

function sayFarewell(step: TurnStep, reason: string): void {
  step.cancelReply("superseded");
  step.discardPrepared();
  step.patch({ endReason: reason });
  step.beginReply(farewellOf(reason), "", step.nowMs, false);
}

function restartIdle(step: TurnStep): void {
  const { agent, user } = step.state;
  if (step.state.onHold || step.state.isDeaf) return;
  if (agent.kind === "listening" && user.speech.kind !== "speaking")
    step.setTimer("idle", step.nowMs + step.settings.idleMs);
}

function onTimer(step: TurnStep, timer: TurnTimer): void {
  const { agent, user } = step.state;
  switch (timer) {
    case "end-of-turn":
      if (agent.kind === "listening") endTurn(step);
      return;
    case "flush":
      step.emit({ type: "flush-recogniser" });
      return;
    case "turn-watchdog":
      if (agent.kind === "listening") endTurn(step);
      else if (userText(user) === "") step.clearUserText();
      restartIdle(step);
      return;
    case "hold":
      if (user.speech.kind === "speaking") hold(step, user.speech.sinceMs);
      return;
    case "confirm-interruption":
      onLongSpeechOverReply(step);
      return;
    case "false-alarm":
      resume(step);
      return;
    case "idle":
      if (agent.kind !== "listening" || step.state.isPaused) return;
      // EFFECT-3: the silence is ours, but a caller who hears nothing for long must know that it is meant to be so.
      if (step.state.effectsRunning > 0) step.beginReply("patience", "", step.nowMs, false);
      else if (step.state.gap !== undefined) askAgain(step);
      else if (step.state.reprompts >= maxReprompts) sayFarewell(step, "caller_silent");
      else {
        step.patch({ reprompts: step.state.reprompts + 1 });
        step.beginReply("reprompt", "", step.nowMs, false);
      }
      return;
    case "dead-air":
      if (step.state.isPaused || (agent.kind === "held" && user.speech.kind === "speaking")) {
        step.setTimer("dead-air", step.nowMs + 1000); // the caller speaks, or wants silence: that is not dead air
        return;
      }
      if (agent.kind === "thinking" || agent.kind === "held") onFailed(step, agent.reply.turnId);
  }
}

/** Decides whether the caller means to interrupt. Rules BARGE-1 to BARGE-9, BARGE-11, BARGE-13 and BARGE-14. */
import { considerEndOfTurn } from "./end-of-turn.ts";
import { isWaryOfSound, noteFalseAlarm } from "./false-alarms.ts";
import type { InterruptionKind } from "./text-kind.ts";
import { isLastWords } from "./turn-effects.ts";
import { anotherLookMs, answerOverlapMs, bargeInSpeechMs, falseAlarmMs } from "./turn-settings.ts";
import { noFalseAlarms, runningReply, userText } from "./turn-state.ts";
import type { ActiveReply } from "./turn-state.ts";
import type { TurnStep } from "./turn-step.ts";

export function isInterruptible(step: TurnStep, reply: ActiveReply): boolean {
  return step.settings.bargeInEnabled && mayBeCutOff(reply);
}

/** BARGE-9, REC-3. */
export function mayBeCutOff({ kind }: Pick<ActiveReply, "kind">): boolean {
  return !isLastWords(kind) && kind !== "announcement";
}

/** BARGE-11: the agent falls silent for a sound that may become speech, and continues if it does not. */
export function onSoundOverReply(step: TurnStep, sinceMs: number): void {
  const { agent, user } = step.state;
  if (agent.kind !== "speaking" || user.speech.kind === "speaking" || !isInterruptible(step, agent.reply)) return;
  if (sinceMs + step.settings.bargeInThresholdMs > step.nowMs || isWaryOfSound(step)) return;
  hold(step);
  step.setTimer("false-alarm", step.nowMs + falseAlarmMs);
}

/** BARGE-1, BARGE-6: speech started while the agent has the turn. */
export function onSpeechOverReply(step: TurnStep, sinceMs: number): void {
  const { agent } = step.state;
  if (agent.kind === "held") {
    step.clearTimers("false-alarm");
    step.setTimer("confirm-interruption", sinceMs + bargeInSpeechMs);
    return;
  }
  if (agent.kind !== "thinking" && agent.kind !== "speaking") return;
  if (!isInterruptible(step, agent.reply)) return;
  const isSoundEnough = agent.kind === "thinking" || !isWaryOfSound(step);
  const holdAtMs = sinceMs + (isSoundEnough ? step.settings.bargeInThresholdMs : bargeInSpeechMs);
  if (holdAtMs <= step.nowMs) holdForSpeech(step, sinceMs);
  else step.setTimer("hold", holdAtMs);
}

export function holdForSpeech(step: TurnStep, sinceMs: number): void {
  if (!hold(step)) return;
  step.setTimer("confirm-interruption", sinceMs + bargeInSpeechMs);
}

/** Returns false if there is nothing to hold. */
function hold(step: TurnStep): boolean {
  const { agent } = step.state;
  if (agent.kind !== "thinking" && agent.kind !== "speaking") return false;
  step.setAgent({ kind: "held", reply: agent.reply, was: agent.kind });
  step.emit({ type: "hold-playout", turnId: agent.reply.turnId });
  return true;
}

/**
 * BARGE-2: this much speech is intentional, with or without words. Before the reply is audible it may still be noise, and cancelling would
 * lose the answer to the caller's question; there only words interrupt (BARGE-6).
 */
export function onLongSpeechOverReply(step: TurnStep): void {
  const { agent, user } = step.state;
  if (agent.kind !== "held" || user.speech.kind !== "speaking") return;
  const kind = kindOfWords(step, agent.reply);
  if (kind === "backchannel") {
    // "oh okay" takes this long, and so does the beginning of a longer sentence.
    step.setTimer("confirm-interruption", step.nowMs + anotherLookMs);
    return;
  }
  if (agent.was === "thinking" && kind !== "words") {
    step.setTimer("false-alarm", step.nowMs + falseAlarmMs);
    return;
  }
  interrupt(step);
  considerEndOfTurn(step);
}

function interrupt(step: TurnStep): void {
  step.cancelReply("barge_in");
  step.patch({ falseAlarms: noFalseAlarms });
}

/** BARGE-3: the speech ended, and no word was recognised so far. The recogniser is asked to finalise; a slow one is not waited for. */
export function onSpeechOverReplyEnded(step: TurnStep, stoppedMs: number): void {
  step.clearTimers("hold", "confirm-interruption");
  const { agent } = step.state;
  if (runningReply(agent)?.kind === "announcement") {
    step.emit({ type: "flush-recogniser" }); // so that it is not recognised as part of the speech after the greeting
    return;
  }
  if (agent.kind === "speaking" && isWaryOfSound(step)) {
    step.emit({ type: "flush-recogniser" });
    noteFalseAlarm(step);
    return;
  }
  if (agent.kind !== "held") return;
  step.emit({ type: "flush-recogniser" });
  step.setTimer("false-alarm", stoppedMs + falseAlarmMs);
}

export interface JudgedWords {
  readonly isFinal: boolean;
  /** The latest text; empty if the recogniser found no words. */
  readonly text: string;
  /** Audio of the reply not yet heard; infinite while more is being generated. */
  readonly replyRemainingMs: number;
}

/** BARGE-3: the recogniser is late, so its text so far decides. */
export function onFalseAlarmDue(step: TurnStep): void {
  const { agent } = step.state;
  if (agent.kind !== "held") return;
  if (kindOfWords(step, agent.reply) !== "words") return resume(step);
  interrupt(step);
  considerEndOfTurn(step);
}

/** Judges the words spoken over a reply so far: they interrupt it, let it continue, or are too few to tell. */
export function judgeWords(step: TurnStep, words: JudgedWords): void {
  const { agent, user } = step.state;
  const { isFinal, replyRemainingMs } = words;
  const reply = runningReply(agent);
  if (reply === undefined || !isInterruptible(step, reply)) return;
  switch (kindOfWords(step, reply)) {
    case "words":
      // The agent is already silent, so waiting costs nothing; "yeah" sounds like "that" until the word is complete
      // (BARGE-3).
      if (user.speech.kind === "speaking" && !isFinal) {
        if (agent.kind === "held") return;
        if (agent.kind === "speaking" && isWaryOfSound(step)) return holdForSpeech(step, user.speech.sinceMs);
      }
      return interrupt(step);
    case "backchannel":
      if (!isFinal) return;
      // BARGE-8: spoken over the end of a question, "yes" is its answer, which is handled when the reply ends.
      if (replyRemainingMs > answerOverlapMs) forgetNewest(step, words);
      resume(step);
      return;
    case "none":
      if (isFinal) resume(step);
  }
}

/** BARGE-13: "hi" to an agent that is greeting is only a backchannel. */
function kindOfWords(step: TurnStep, { kind, finalsBefore = 0 }: ActiveReply): InterruptionKind {
  const { language } = step.settings;
  const { user } = step.state;
  const text = userText({ ...user, finals: user.finals.slice(finalsBefore) });
  return kind === "greeting" && language.isGreeting(text) ? "backchannel" : language.interruptionKind(text);
}

/** Words retained from the end of an earlier reply are not dropped because of speech over this one (BARGE-8). */
function forgetNewest(step: TurnStep, { text }: JudgedWords): void {
  const { finals } = step.state.user;
  const kept = text === "" ? finals : finals.slice(0, -1);
  if (kept.length === 0) step.clearUserText();
  else step.setUser({ finals: kept });
}

/** BARGE-3: the sound was a false alarm, so the reply resumes. */
export function resume(step: TurnStep): void {
  const { agent } = step.state;
  if (agent.kind !== "held") return;
  step.clearTimers("confirm-interruption", "false-alarm");
  step.setAgent({ kind: agent.was, reply: agent.reply });
  noteFalseAlarm(step);
  step.emit({ type: "resume-playout", turnId: agent.reply.turnId });
}

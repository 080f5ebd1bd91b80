/**
 * Turns whose end the service decides: it detects when the caller has finished and answers on its own. We stop the playout at once when the
 * caller speaks, expect the answer, and store the transcript of the service.
 */
import type { CallerRules } from "./caller-rules.ts";
import { onExpectedReplyBegun, setReply } from "./fillers.ts";
import { isInterruptible, mayBeCutOff } from "./interruption.ts";
import { restartIdle } from "./silence.ts";
import { falseAlarmMs } from "./turn-settings.ts";
import { emptyUserTurn, nextTurnId, runningReply, userText } from "./turn-state.ts";
import type { TurnStep } from "./turn-step.ts";

/** If the noise never stops, the agent waits instead of resuming for ever. */
const mostTimesResumed = 3;

export const serviceTurns: CallerRules = {
  onSpeechStarted(step, sinceMs) {
    const { agent, endReason } = step.state;
    const reply = runningReply(agent);
    step.clearTimers("idle", "false-alarm");
    step.setUser({ speech: { kind: "speaking", sinceMs } });
    if (agent.kind === "awaiting") {
      step.freeFloor(); // the same turn continues
      step.patch({ stopped: { kind: "answer" } });
    } else if (reply !== undefined && isInterruptible(step, reply)) {
      step.cancelReply("barge_in");
      const { kind, words, line, timesResumed } = reply;
      step.patch({ stopped: { kind, words, line, timesResumed, endReason } });
    }
  },
  onSpeechStopped(step, stoppedMs) {
    // After the caller's explicit end (TURN-12) the service may detect another one in the silence that follows.
    if (step.state.user.speech.kind !== "speaking") return;
    endSpeech(step, stoppedMs);
  },
  onFinal(step, { text, turn, endedMs }) {
    const { agent, user } = step.state;
    if (text !== "") {
      const turnId = turn?.turnId ?? runningReply(agent)?.turnId ?? nextTurnId(step.state);
      step.patch({ reprompts: 0 });
      step.emit({ type: "keep-words", turnId, text, begunAtMs: turn?.begunAtMs, endedMs });
      return;
    }
    // The service has heard speech in which it found no words. While the caller still speaks, it may find some.
    if (user.speech.kind === "speaking") return;
    // Text typed meanwhile still needs an answer (TURN-11).
    step.setUser({ ...emptyUserTurn, finals: user.finals });
    if (agent.kind === "awaiting") step.freeFloor();
    else if (runningReply(agent)?.isExpected === true) step.cancelReply("superseded");
    answerWhenFree(step);
    restartIdle(step);
    // The service may hear more in a sound than its transcription does, and answer all the same.
    if (step.state.stopped !== undefined) step.setTimer("false-alarm", step.nowMs + falseAlarmMs);
  },
  onWholeTurn(step, text) {
    const reply = runningReply(step.state.agent);
    step.setUser({ finals: [...step.state.user.finals, text], anchorMs: step.nowMs });
    if (reply !== undefined && !mayBeCutOff(reply)) return;
    step.cancelReply("barge_in");
    answerTyped(step);
  },
  onCallerFinished(step) {
    // Otherwise the service has detected the end itself and answers, or has received nothing that needs an answer.
    if (step.state.user.speech.kind !== "speaking") return;
    step.emit({ type: "flush-recogniser" });
    endSpeech(step, step.nowMs);
  },
  onFalseAlarmDue(step) {
    const { agent, user, stopped, isDeaf, onHold } = step.state;
    if (stopped === undefined || agent.kind !== "listening" || user.speech.kind === "speaking") return;
    step.patch({ stopped: undefined });
    const { kind, words = "", line, timesResumed = 0, endReason } = stopped;
    if (isDeaf || onHold || timesResumed >= mostTimesResumed) return;
    step.patch({ endReason });
    step.beginReply(kind, { text: words, line, origin: "noise" });
    setReply(step, { timesResumed: timesResumed + 1 });
  },
  onFloorFree: answerWhenFree,
  // While the client has paused, the service receives silence, and ends the turn itself.
};

/** Answers what was typed, or expects the service's answer, once nobody speaks. */
export function answerWhenFree(step: TurnStep): void {
  if (step.state.agent.kind !== "listening") return;
  if (userText(step.state.user) !== "") answerTyped(step);
  else if (step.state.user.speech.kind === "stopped" || step.state.owesAnswer) expectAnswer(step);
}

/** The service has started a response: the requested one, or its own to what it received. */
export function onResponseStarted(step: TurnStep): void {
  const { agent, user, isDeaf, onHold, withPerson } = step.state;
  if ((isDeaf || onHold || withPerson) && agent.kind === "listening") {
    step.emit({ type: "refuse-response" }); // VM-2, EFFECT-11, PERSON-4: it responds to a machine, or to a caller who hears music or a person
    return;
  }
  if ((runningReply(agent)?.kind ?? "answer") === "answer") giveUpAnswer(step);
  onExpectedReplyBegun(step);
  if (agent.kind !== "listening" && agent.kind !== "awaiting") return;
  step.patch({ reprompts: 0 });
  step.beginReply("answer", { anchorMs: Math.min(user.anchorMs ?? step.nowMs, step.nowMs), origin: "service" });
  if (agent.kind !== "awaiting") return;
  step.setTimer("dead-air", agent.sinceMs + step.settings.deadAirMs); // the caller has been waiting since then
  step.awaitFirstWord(agent.endedMs ?? agent.sinceMs);
}

/** The caller still waits for the answer: when nobody speaks, it is expected again. */
export function onAnswerLost(step: TurnStep): void {
  if (step.state.isDeaf || step.state.onHold || step.state.withPerson) return;
  step.patch({ owesAnswer: true });
  if (step.state.user.speech.kind !== "speaking") answerWhenFree(step);
}

/** The answer has started, or the caller is told that there will be none: no other one is expected. */
export function giveUpAnswer(step: TurnStep): void {
  if (step.state.user.speech.kind === "stopped") step.setUser({ speech: { kind: "quiet" } });
  step.patch({ owesAnswer: false });
}

function endSpeech(step: TurnStep, stoppedMs: number): void {
  step.setUser({ speech: { kind: "stopped", stoppedMs, lastedMs: 0 }, anchorMs: stoppedMs });
  if (step.state.agent.kind === "listening") expectAnswer(step, Math.min(stoppedMs, step.nowMs));
}

/** FAIL-1 counts from here, because the service does not report that it is working; FILL-1 from the end of the caller's words. */
export function expectAnswer(step: TurnStep, endedMs = step.nowMs): void {
  if (step.state.onHold) {
    step.setUser({ speech: { kind: "quiet" } }); // the response is refused
    if (userText(step.state.user) !== "") step.keepUnanswered(); // typed before the hold
    return;
  }
  step.setAgent({ kind: "awaiting", sinceMs: step.nowMs, endedMs });
  step.clearTimers("idle");
  step.setTimer("dead-air", step.nowMs + step.settings.deadAirMs);
  step.awaitFirstWord(endedMs);
}

/** Typed text is a turn of its own: the service receives the text and is asked for a response. */
function answerTyped(step: TurnStep): void {
  const text = userText(step.state.user);
  if (step.state.onHold) {
    step.keepUnanswered();
    return;
  }
  step.clearUserText();
  step.patch({ reprompts: 0 });
  step.beginReply("answer", { text });
}

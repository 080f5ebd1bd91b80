/** Turns that we end ourselves, from the caller's words and silences. */
import type { CallerRules, RecognisedWords } from "./caller-rules.ts";
import { considerEndOfTurn, endTurn } from "./end-of-turn.ts";
import { judgeWords, mayBeCutOff, onSpeechOverReply, onSpeechOverReplyEnded } from "./interruption.ts";
import { restartIdle } from "./silence.ts";
import { askForWhatWasLost, noticeFragment } from "./takeover.ts";
import { maxClarifications, notUnderstoodMs } from "./turn-settings.ts";
import { runningReply, userText } from "./turn-state.ts";
import type { TurnStep } from "./turn-step.ts";

export const ownTurns: CallerRules = {
  onSpeechStarted(step, sinceMs) {
    step.clearTimers("idle");
    noticeFragment(step, sinceMs);
    step.setUser({ speech: { kind: "speaking", sinceMs }, finished: false });
    const { lateFinal } = step.state;
    if (lateFinal !== undefined) step.patch({ lateFinal: { speechSinceMs: lateFinal.speechSinceMs ?? sinceMs } });
    onSpeechOverReply(step, sinceMs);
    considerEndOfTurn(step);
  },
  onSpeechStopped(step, stoppedMs) {
    noteSpeechEnd(step, stoppedMs);
    onSpeechOverReplyEnded(step, stoppedMs);
    considerEndOfTurn(step);
  },
  onPartial(step, text) {
    if (text === step.state.user.partial || isLate(step)) return;
    step.clearTimers("idle");
    step.setUser({ partial: text });
    judgeWords(step, { isFinal: false, text, replyRemainingMs: Number.POSITIVE_INFINITY });
    considerEndOfTurn(step);
  },
  onFinal(step, words) {
    if (!takeLateFinal(step, words.endedMs)) takeFinal(step, words);
  },
  onWholeTurn(step, text) {
    const reply = runningReply(step.state.agent);
    step.setUser({ finals: [...step.state.user.finals, text], anchorMs: step.nowMs });
    if (reply !== undefined && !mayBeCutOff(reply)) return;
    step.cancelReply("barge_in");
    step.patch({ gap: undefined }); // whole, whatever was lost before
    endTurn(step);
  },
  onCallerFinished(step) {
    noteSpeechEnd(step, step.nowMs);
    onSpeechOverReplyEnded(step, step.nowMs);
    step.setUser({ finished: true });
    step.emit({ type: "flush-recogniser" });
    considerEndOfTurn(step);
  },
  onPaused(step) {
    noteSpeechEnd(step, step.nowMs);
    onSpeechOverReplyEnded(step, step.nowMs);
    considerEndOfTurn(step);
  },
  onFloorFree: considerEndOfTurn,
};

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

function noteSpeechEnd(step: TurnStep, stoppedMs: number): void {
  const { speech } = step.state.user;
  const lastedMs = speech.kind === "speaking" ? stoppedMs - speech.sinceMs : 0;
  step.setUser({ speech: { kind: "stopped", stoppedMs, lastedMs }, anchorMs: stoppedMs });
}

function takeFinal(step: TurnStep, { text, endedMs, replyRemainingMs }: RecognisedWords): void {
  const { user } = step.state;
  // Where the detector heard nothing, the recogniser's own end is the anchor, never a moment to come.
  const anchorMs = user.speech.kind === "quiet" ? Math.min(endedMs, step.nowMs) : user.anchorMs;
  step.setUser({ partial: "", finals: text === "" ? user.finals : [...user.finals, text], anchorMs });
  if (text !== "") step.clearTimers("idle");
  judgeWords(step, { isFinal: true, text, replyRemainingMs });
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
    step.beginReply("clarification", { anchorMs: Math.min(user.anchorMs ?? step.nowMs, step.nowMs) });
  } else restartIdle(step);
}

/** Turns whose end we decide ourselves, from the caller's words and silences. */
import type { CallerRules, RecognisedWords } from "./caller-rules.ts";
import { considerEndOfTurn, endTurn } from "./end-of-turn.ts";
import {
  judgeWords,
  mayBeCutOff,
  onFalseAlarmDue,
  onSoundOverReply,
  onSpeechOverReply,
  onSpeechOverReplyEnded,
} from "./interruption.ts";
import { isWaryOfSound } from "./false-alarms.ts";
import { isRevision, newWordsOf } from "./late-final.ts";
import { notePause } from "./pause-habit.ts";
import { askForWhatWasLost, noticeFragment, takeAsWhole } from "./takeover.ts";
import { flushedMs } from "./turn-settings.ts";
import { runningReply, userText } from "./turn-state.ts";
import type { UserTurn } from "./turn-state.ts";
import type { TurnStep } from "./turn-step.ts";
import { endWithoutWords, isUnderstoodTooLittle, noteUnheard } from "./unrecognised-speech.ts";

export const ownTurns: CallerRules = {
  onSoundStarted: onSoundOverReply,
  onSpeechStarted(step, sinceMs) {
    step.clearTimers("idle");
    noticeFragment(step, sinceMs);
    notePause(step, sinceMs);
    step.setUser({ speech: { kind: "speaking", sinceMs } });
    const { lateFinal } = step.state;
    if (lateFinal !== undefined && lateFinal.speechSinceMs === undefined)
      step.patch({ lateFinal: { ...lateFinal, speechSinceMs: sinceMs } });
    onSpeechOverReply(step, sinceMs);
    considerEndOfTurn(step);
  },
  onSpeechStopped(step, stoppedMs, prosody) {
    noteSpeechEnd(step, stoppedMs);
    step.setUser({ prosody, voice: undefined, finished: false });
    onSpeechOverReplyEnded(step, stoppedMs);
    considerEndOfTurn(step);
  },
  onVoiceJudged(step, stoppedMs, probability) {
    const { speech } = step.state.user;
    if (speech.kind !== "stopped" || speech.stoppedMs !== stoppedMs) return; // the caller has spoken again
    step.setUser({ voice: probability });
    considerEndOfTurn(step);
  },
  onPartial(step, { text, sentence, endedMs }) {
    const { user } = step.state;
    if ((text === user.partial && sentence === user.sentence) || isRevision(step.state, endedMs)) return;
    step.clearTimers("idle");
    step.setUser({ partial: text, partialEndedMs: endedMs, sentence, ...forgotten });
    judgeWords(step, { isFinal: false, text, replyRemainingMs: Number.POSITIVE_INFINITY });
    considerEndOfTurn(step);
  },
  onFinal(step, words) {
    const text = newWordsOf(step, words);
    if (text === undefined) return;
    noticeFragment(step, words.endedMs);
    takeFinal(step, { ...words, text });
  },
  onWholeTurn(step, text) {
    const reply = runningReply(step.state.agent);
    const finals = [...step.state.user.finals, text];
    step.setUser({ finals, isWhole: true, anchorMs: step.nowMs, estimate: undefined });
    takeAsWhole(step);
    if (reply !== undefined && !mayBeCutOff(reply)) return;
    step.cancelReply("barge_in");
    endTurn(step);
  },
  onCallerFinished(step) {
    noteSpeechEnd(step, step.nowMs);
    onSpeechOverReplyEnded(step, step.nowMs);
    step.setUser({ finished: true });
    step.emit({ type: "flush-recogniser" });
    considerEndOfTurn(step);
  },
  onFalseAlarmDue,
  onPaused(step) {
    noteSpeechEnd(step, step.nowMs);
    onSpeechOverReplyEnded(step, step.nowMs);
    considerEndOfTurn(step);
  },
  onFloorFree: considerEndOfTurn,
};

/** What is cleared once there are words. */
const forgotten: Pick<UserTurn, "rejected" | "guess" | "unheardMs"> = { rejected: "", guess: undefined, unheardMs: 0 };

const finalised: Pick<UserTurn, "partial" | "partialEndedMs"> = { partial: "", partialEndedMs: undefined };

function noteSpeechEnd(step: TurnStep, stoppedMs: number): void {
  const { speech } = step.state.user;
  const lastedMs = speech.kind === "speaking" ? stoppedMs - speech.sinceMs : 0;
  step.setUser({ speech: { kind: "stopped", stoppedMs, lastedMs }, anchorMs: stoppedMs });
}

function takeFinal(step: TurnStep, { text, sentence, guess, endedMs, replyRemainingMs }: RecognisedWords): void {
  const { user } = step.state;
  // If the detector noticed no speech, the recogniser's end of speech is the anchor, but never a time in the future.
  const anchorMs = user.speech.kind === "quiet" ? Math.min(endedMs, step.nowMs) : user.anchorMs;
  if (text === "") {
    step.setUser({ ...finalised, guess, anchorMs });
    noteUnheard(step, user.partial);
  } else {
    step.setUser({ ...finalised, finals: [...user.finals, text], sentence, anchorMs, ...forgotten });
    step.clearTimers("idle");
  }
  judgeWords(step, { isFinal: true, text, replyRemainingMs });
  const { speech } = step.state.user;
  if (userText(step.state.user) === "" && speech.kind !== "speaking") closeEmptyFinal(step, endedMs);
  else if (isOfFinishedTurn(step, endedMs)) endTurn(step);
  else considerEndOfTurn(step);
}

/**
 * TURN-12: the recogniser has finalised what was said before the client's end-of-turn message, and sound has started only after that. The
 * end counts, because nobody can say how long that sound will last.
 */
function isOfFinishedTurn({ state: { agent, user }, nowMs }: TurnStep, endedMs: number): boolean {
  const { speech, finished, anchorMs = nowMs } = user;
  if (agent.kind !== "listening" || !finished || speech.kind !== "speaking" || userText(user) === "") return false;
  return endedMs <= speech.sinceMs || nowMs <= anchorMs + flushedMs;
}

/**
 * TURN-13: there was sound but no words. It may be the first half of something, so the caller gets the time of a pause. An answer that was
 * recognised with too little confidence is accepted if the agent has asked a matching question.
 */
function closeEmptyFinal(step: TurnStep, endedMs: number): void {
  if (step.state.agent.kind !== "listening") {
    endWithoutWords(step);
    return;
  }
  if (askForWhatWasLost(step)) return;
  const answer = doubtfulAnswer(step);
  if (answer !== undefined) acceptAnswer(step, answer, endedMs);
  else if (!isUnderstoodTooLittle(step)) {
    endWithoutWords(step);
    return;
  }
  considerEndOfTurn(step);
}

/** No final contained these words, so they are published here, with the detector's times if it noticed the caller. */
function acceptAnswer(step: TurnStep, text: string, endedMs: number): void {
  const { speech } = step.state.user;
  const { stoppedMs, lastedMs } = speech.kind === "stopped" ? speech : { stoppedMs: endedMs, lastedMs: 0 };
  step.emit({ type: "publish-words", text, startedAtMs: stoppedMs - lastedMs, endedAtMs: stoppedMs });
  step.setUser({ finals: [text], ...forgotten });
}

/**
 * A yes or no that the recogniser rejected, or guessed after the agent asked for one. Never in the beat of music (BARGE-14), which sounds
 * like "no" to a recogniser that expects one.
 */
function doubtfulAnswer(step: TurnStep): string | undefined {
  const { user } = step.state;
  const { expected, language } = step.settings;
  if (expected.kind === "nothing" || isWaryOfSound(step)) return undefined;
  if (language.isAnswerAlone(user.rejected)) return user.rejected;
  const { guess } = user;
  return expected.kind === "yes-or-no" && guess !== undefined && language.isAnswerAlone(guess) ? guess : undefined;
}

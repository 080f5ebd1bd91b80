/**
 * The caller spoke and no word was recognised: decides whether more is coming, the caller was not understood, or it was nothing. Rules
 * TURN-6 and TURN-13.
 */
import { restartIdle } from "./silence.ts";
import {
  askAgainMs,
  longestYesOrNoMs,
  maxClarifications,
  notUnderstoodAfterQuestionMs,
  notUnderstoodMs,
  yesOrNoFlushMs,
} from "./turn-settings.ts";
import type { TurnStep } from "./turn-step.ts";

/** Asks the recogniser to finalise, and gives the caller the time of a pause to continue. */
export function awaitTranscript(step: TurnStep): void {
  const { agent, user } = step.state;
  if (user.speech.kind !== "stopped") return;
  const { stoppedMs, lastedMs } = user.speech;
  if (isUnderstoodTooLittle(step)) {
    step.setTimer("turn-watchdog", stoppedMs + askAgainMs);
    return;
  }
  const { expected, silenceMs } = step.settings;
  const mayBeAnswer = expected.kind === "yes-or-no" && lastedMs <= longestYesOrNoMs;
  const flushMs = mayBeAnswer ? Math.min(yesOrNoFlushMs, silenceMs) : silenceMs;
  if (agent.kind === "listening") step.setTimer("flush", stoppedMs + flushMs);
  step.setTimer("turn-watchdog", stoppedMs + step.settings.silenceTimeoutMs);
}

/** Nothing was recognised. The agent decides how to ask again and when to give up. */
export function endWithoutWords(step: TurnStep): void {
  const { agent, clarifications, user, onHold } = step.state;
  const mayAsk = agent.kind === "listening" && !onHold && clarifications < maxClarifications;
  const mustAsk = mayAsk && isUnderstoodTooLittle(step);
  step.clearUserText();
  step.clearTimers("flush", "turn-watchdog");
  if (!mustAsk) {
    restartIdle(step);
    return;
  }
  step.patch({ clarifications: clarifications + 1 });
  step.beginReply("clarification", {
    text: user.guess ?? "",
    anchorMs: Math.min(user.anchorMs ?? step.nowMs, step.nowMs),
  });
}

/** There was more sound than a cough makes. */
export function isUnderstoodTooLittle(step: TurnStep): boolean {
  return step.state.user.unheardMs >= leastSpeechMs(step);
}

/** TURN-13: after a question, an answer may be as short as a word. */
export function leastSpeechMs({ settings }: TurnStep): number {
  return settings.expected.kind === "nothing" ? notUnderstoodMs : notUnderstoodAfterQuestionMs;
}

/** The recogniser found no words after all. If the withdrawn partial was only a hesitation, the caller is not asked to repeat it. */
export function noteUnheard(step: TurnStep, partial: string): void {
  const { user } = step.state;
  const rejected = partial === "" ? user.rejected : partial;
  const lastedMs = user.speech.kind === "stopped" ? user.speech.lastedMs : 0;
  const isHesitation = step.settings.language.isHesitation(rejected);
  step.setUser({ rejected, unheardMs: user.unheardMs + (isHesitation ? 0 : lastedMs) });
}

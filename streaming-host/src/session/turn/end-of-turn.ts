/** When has the caller finished? Rules TURN-1 to TURN-7, TURN-10 and TURN-12. */
import type { EndOfTurnEstimate } from "@voice/provider-kit/ports/end-of-turn";
import { toAnswerKey } from "./text-kind.ts";
import { maxPreparationsPerTurn, worthPreparing } from "./turn-settings.ts";
import { userText } from "./turn-state.ts";
import { askForWhatWasLost } from "./takeover.ts";
import type { TurnStep } from "./turn-step.ts";
import { awaitTranscript, endWithoutWords } from "./unrecognised-speech.ts";

/** Re-evaluates the current turn after any change: ends it, or sets the timers that will. */
export function considerEndOfTurn(step: TurnStep): void {
  const { agent, user } = step.state;
  step.clearTimers("end-of-turn", "flush", "turn-watchdog");
  const text = userText(user);
  if (text === "") {
    step.discardPrepared();
    awaitTranscript(step);
    return;
  }
  if (agent.kind !== "listening") return; // handled when the reply was heard (TURN-11) or cancelled (BARGE-2)
  if (user.speech.kind === "speaking") {
    step.discardPrepared();
    if (user.partial === "") step.setTimer("turn-watchdog", step.nowMs + step.settings.silenceTimeoutMs); // TURN-7
    return;
  }
  // TURN-12: the client has said that the caller finished; an estimate would only delay the answer.
  const estimate = user.finished ? undefined : estimateEnd(step, text);
  step.setUser({ estimate });
  const anchorMs = user.anchorMs ?? step.nowMs;
  const dueMs = estimate === undefined ? step.nowMs : anchorMs + estimate.waitMs;
  if (user.partial === "") {
    if (dueMs <= step.nowMs) {
      endTurn(step);
      return;
    }
    step.setTimer("end-of-turn", dueMs);
  } else {
    step.setTimer("flush", dueMs);
    step.setTimer("turn-watchdog", Math.max(anchorMs + step.settings.silenceTimeoutMs, dueMs));
  }
  prepare(step, text, estimate?.probability ?? 1);
}

/** Ends the turn; its text, including any partial, is what the caller said. */
export function endTurn(step: TurnStep): void {
  const { user } = step.state;
  const text = userText(user);
  if (text === "" || (step.settings.language.isHesitation(text) && !user.isWhole)) {
    step.discardPrepared();
    endWithoutWords(step);
    return;
  }
  if (step.state.onHold) {
    step.discardPrepared();
    step.keepUnanswered();
    return;
  }
  if (askForWhatWasLost(step)) return;
  const prepared = isPrepared(step, text);
  if (!prepared) step.discardPrepared();
  step.patch({ preparedText: undefined, preparations: 0, reprompts: 0, clarifications: 0 });
  step.closeUserText({ isAnswered: true });
  const anchorMs = Math.min(user.anchorMs ?? step.nowMs, step.nowMs);
  step.beginReply("answer", { text, anchorMs, prepared, endOfTurn: user.estimate });
}

function estimateEnd(step: TurnStep, text: string): EndOfTurnEstimate {
  const { user, pauses } = step.state;
  const { estimator, expected, silenceMs: middleMs } = step.settings;
  const { sentence, prosody, voice } = user;
  const isFinal = user.partial === "";
  return estimator.estimate({ text, isFinal, sentence, expected, prosody, voice, pauses, middleMs });
}

function isPrepared({ state: { preparedText } }: TurnStep, text: string): boolean {
  // Usually both texts are identical, and normalising a long text takes 12 µs while the caller waits.
  return preparedText === text || (preparedText !== undefined && toAnswerKey(preparedText) === toAnswerKey(text));
}

function prepare(step: TurnStep, text: string, probability: number): void {
  const { preparations } = step.state;
  if (isPrepared(step, text)) return;
  step.discardPrepared();
  if (preparations >= maxPreparationsPerTurn || probability < worthPreparing) return;
  step.patch({ preparedText: text, preparations: preparations + 1 });
  step.emit({ type: "prepare-reply", text });
}

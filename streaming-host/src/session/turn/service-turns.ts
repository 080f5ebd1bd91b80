/**
 * Turns whose end the service decides: it detects when the caller has finished and answers on its own. We stop the
 * playout at once when the caller speaks, expect the answer, and store the words that the service recognised.
 */
import type { CallerRules } from "./caller-rules.ts";
import { onExpectedReplyBegun } from "./fillers.ts";
import { isInterruptible, mayBeCutOff } from "./interruption.ts";
import { restartIdle } from "./silence.ts";
import { emptyUserTurn, nextTurnId, runningReply, userText } from "./turn-state.ts";
import type { TurnStep } from "./turn-step.ts";

export const serviceTurns: CallerRules = {
  onSoundStarted: () => undefined,
  onSpeechStarted(step, sinceMs) {
    const { agent } = step.state;
    const reply = runningReply(agent);
    step.clearTimers("idle");
    step.setUser({ speech: { kind: "speaking", sinceMs } });
    if (agent.kind === "awaiting") step.freeFloor(); // the same turn goes on
    else if (reply !== undefined && isInterruptible(step, reply)) step.cancelReply("barge_in");
  },
  onSpeechStopped(step, stoppedMs) {
    step.setUser({ speech: { kind: "stopped", stoppedMs, lastedMs: 0 }, anchorMs: stoppedMs });
    if (step.state.agent.kind === "listening") expectAnswer(step);
  },
  onVoiceJudged: () => undefined,
  onPartial: () => undefined,
  onFinal(step, { text }) {
    const { agent, user } = step.state;
    if (text !== "") {
      const turnId = runningReply(agent)?.turnId ?? nextTurnId(step.state);
      step.patch({ reprompts: 0 });
      step.emit({ type: "keep-words", turnId, text });
      return;
    }
    // Sound without words needs no answer.
    if (user.speech.kind === "speaking") return;
    // Text typed meanwhile still needs an answer (TURN-11).
    step.setUser({ ...emptyUserTurn, finals: user.finals });
    if (agent.kind === "awaiting") step.freeFloor();
    else if (runningReply(agent)?.isExpected === true) step.cancelReply("superseded");
    serviceTurns.onFloorFree(step);
    restartIdle(step);
  },
  onWholeTurn(step, text) {
    const reply = runningReply(step.state.agent);
    step.setUser({ finals: [...step.state.user.finals, text], anchorMs: step.nowMs });
    if (reply !== undefined && !mayBeCutOff(reply)) return;
    step.cancelReply("barge_in");
    answerTyped(step);
  },
  onCallerFinished: (step) => step.emit({ type: "flush-recogniser" }),
  onPaused: () => undefined, // the service hears silence, and ends the turn itself
  onFloorFree(step) {
    if (step.state.agent.kind !== "listening") return;
    if (userText(step.state.user) !== "") answerTyped(step);
    else if (step.state.user.speech.kind === "stopped") expectAnswer(step);
  },
};

/** The service has begun a response: the requested one, or its own to what it heard. */
export function onResponseStarted(step: TurnStep): void {
  const { agent, user, isDeaf } = step.state;
  if (isDeaf && agent.kind === "listening") {
    step.emit({ type: "refuse-response" }); // VM-2: it answers the answering machine
    return;
  }
  if (user.speech.kind === "stopped") step.setUser({ speech: { kind: "quiet" } });
  onExpectedReplyBegun(step);
  if (agent.kind !== "listening" && agent.kind !== "awaiting") return;
  step.patch({ reprompts: 0 });
  step.beginReply("answer", { anchorMs: Math.min(user.anchorMs ?? step.nowMs, step.nowMs), origin: "service" });
  if (agent.kind !== "awaiting") return;
  step.setTimer("dead-air", agent.sinceMs + step.settings.deadAirMs); // the caller waits since then
  step.awaitFirstWord(agent.sinceMs);
}

/** FAIL-1 counts from here, because the service does not report that it is working. */
function expectAnswer(step: TurnStep): void {
  step.setAgent({ kind: "awaiting", sinceMs: step.nowMs });
  step.clearTimers("idle");
  step.setTimer("dead-air", step.nowMs + step.settings.deadAirMs);
  step.awaitFirstWord(step.nowMs);
}

/** Typed text is a turn of its own: the service gets the text and is asked for a response. */
function answerTyped(step: TurnStep): void {
  const text = userText(step.state.user);
  step.clearUserText();
  step.patch({ reprompts: 0 });
  step.beginReply("answer", { text });
}

/** Failures because of which the agent is not heard. Rules FAIL-1 to FAIL-3, FAIL-5 and FAIL-6. */
import { hasOnlyFiller, setReply } from "./fillers.ts";
import { endWithFarewell } from "./ending.ts";
import { expectAnswer, giveUpAnswer, answerWhenFree } from "./service-turns.ts";
import { restartIdle } from "./silence.ts";
import { continueAfterAnnouncement } from "./takeover.ts";
import { isLastWords } from "./turn-effects.ts";
import type { ReplyKind } from "./turn-effects.ts";
import type { ReplyFailure } from "./turn-events.ts";
import { deadAirRetryMs, maxFailures } from "./turn-settings.ts";
import { runningReply, userText } from "./turn-state.ts";
import type { TurnStep } from "./turn-step.ts";
import { leastSpeechMs } from "./unrecognised-speech.ts";

/** Replies that the caller is not waiting for, so a successor session does not repeat them. */
const notAwaited: ReadonlySet<ReplyKind> = new Set<ReplyKind>(["reprompt", "patience"]);

export function onReplyFailed(step: TurnStep, turnId: string, failure: ReplyFailure): void {
  const { agent } = step.state;
  if (runningReply(agent)?.turnId !== turnId) return;
  if (failure === "stalled") step.emit({ type: "report-silence" });
  else if (agent.kind === "held") {
    setReply(step, { hasFailed: true });
    return;
  }
  makeUpForReply(step);
}

/**
 * The reply failed while the caller was speaking over it, and the caller turned out to have said nothing. If they had, that would be
 * answered in its place. Called after every event, because any event may show this.
 */
export function makeUpForFailedReply(step: TurnStep): void {
  const { agent } = step.state;
  if (agent.kind !== "held" && runningReply(agent)?.hasFailed === true) makeUpForReply(step);
}

/** FAIL-1. */
export function onDeadAir(step: TurnStep): void {
  const { agent, user, isPaused } = step.state;
  if (isPaused || (agent.kind === "held" && user.speech.kind === "speaking")) {
    // The caller is speaking or has asked for silence, so this is not dead air.
    step.setTimer("dead-air", step.nowMs + deadAirRetryMs);
    return;
  }
  const isUnheard = agent.kind === "thinking" || agent.kind === "held" || agent.kind === "awaiting";
  if (!isUnheard && !hasOnlyFiller(agent)) return;
  step.emit({ type: "report-silence" });
  makeUpForReply(step);
}

function makeUpForReply(step: TurnStep): void {
  const { failures, endReason } = step.state;
  const kind = runningReply(step.state.agent)?.kind;
  // FAIL-5: fixed text failed. If even this cannot be played, nothing else can.
  const isHopeless = kind === "apology" || (kind !== undefined && isLastWords(kind));
  const isRepeated = failures + 1 >= maxFailures;
  step.cancelReply("dead_air");
  const { cutLine } = step.state;
  if (kind === "line" && cutLine !== undefined) step.patch({ cutLine: { ...cutLine, isHopeless: true } });
  if (step.settings.policy.turnsEndedBy === "service") giveUpAnswer(step);
  if ((isHopeless || isRepeated) && step.settings.policy.afterRepeatedFailure === "give-up-model")
    giveUpModel(step, { callerWaits: true });
  else if (isHopeless) step.end("voice_failed");
  else if (isRepeated) endWithFarewell(step, "too_many_failures");
  // The session was to end after this reply. Asking the caller to repeat something, and then hanging up, would be worse than saying
  // nothing.
  else if (endReason !== undefined) endWithFarewell(step, endReason);
  else {
    step.patch({ failures: failures + 1 });
    // REC-3: the caller has not said anything that they could repeat.
    const isUnderWay = kind === "announcement" && continueAfterAnnouncement(step);
    if (!isUnderWay) step.beginReply("apology");
  }
}

/**
 * SPEECH-8. Recognised words are answered in any case. A caller who is speaking, or hearing the agent, is not talked over: they will repeat
 * it of their own accord.
 */
export function onWordsUnknown(step: TurnStep): void {
  const { agent, failures, user, onHold, isPaused, withPerson } = step.state;
  const isHeard = user.speech.kind === "speaking" || userText(user) !== "";
  // Some servers fail over a cough in the same way as over a sentence.
  const isCough = user.speech.kind === "stopped" && user.speech.lastedMs < leastSpeechMs(step);
  if (agent.kind !== "listening" || onHold || isPaused || withPerson || isHeard || isCough) return;
  if (!step.settings.policy.agentSpeaks) return;
  step.clearUserText();
  step.clearTimers("flush", "turn-watchdog", "idle");
  if (failures + 1 >= maxFailures) {
    endWithFarewell(step, "too_many_failures");
    return;
  }
  step.patch({ failures: failures + 1 });
  step.beginReply("apology");
}

/**
 * FAIL-4: the reply was lost with its connection and is requested again, unless the next connection receives the audio that it answers.
 * What was heard of it stays in the history.
 */
export function onReplyLost(
  step: TurnStep,
  { turnId, isHeardAgain = false }: { readonly turnId: string; readonly isHeardAgain?: boolean | undefined },
): void {
  const { agent, endReason, onHold } = step.state;
  const reply = runningReply(agent);
  if (reply?.turnId !== turnId) return;
  step.cancelReply("dead_air");
  if (isHeardAgain) expectAnswer(step);
  else if (isLastWords(reply.kind)) step.end(endReason ?? "voice_failed");
  else if (onHold && notAwaited.has(reply.kind)) return; // EFFECT-11: the caller hears music
  else if (reply.kind !== "announcement")
    step.beginReply(reply.kind, { text: reply.words ?? "", line: reply.line, origin: "lost-connection" });
  else if (!continueAfterAnnouncement(step)) {
    answerWhenFree(step);
    restartIdle(step);
  }
}

export function onModelLost(
  step: TurnStep,
  lost: { readonly hearsWords: boolean; readonly isReplyUnfinished: boolean },
): void {
  const { agent, firstMove } = step.state;
  const kind = runningReply(agent)?.kind;
  const isUnheard =
    agent.kind === "awaiting" || agent.kind === "thinking" || lost.isReplyUnfinished || firstMove !== "listen";
  // An utterance without a final is answered once the successor session has recognised it.
  giveUpModel(step, { callerWaits: !lost.hearsWords && isUnheard && !(kind !== undefined && notAwaited.has(kind)) });
}

function giveUpModel(step: TurnStep, { callerWaits }: { readonly callerWaits: boolean }): void {
  const { endReason } = step.state;
  if (endReason !== undefined) {
    step.end(endReason);
    return;
  }
  step.cancelReply("passed_on");
  step.emit({ type: "give-up-model", callerWaits });
  step.setAgent({ kind: "ended" });
}

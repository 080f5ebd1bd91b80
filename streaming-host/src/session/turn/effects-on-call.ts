/** Effects that the host carries out on the call during the conversation. Rules EFFECT-3, EFFECT-4 and EFFECT-7. */
import { mayBeCutOff } from "./interruption.ts";
import { restartIdle } from "./silence.ts";
import type { EffectWords } from "./turn-effects.ts";
import { runningReply, userText } from "./turn-state.ts";
import type { TurnStep } from "./turn-step.ts";

/** The caller hears music, so no speech of theirs can be lost. */
const saidNothing = { gap: undefined };

export function onEffectStarted(step: TurnStep, { isHold }: { readonly isHold: boolean }): void {
  step.patch({ effectsRunning: step.state.effectsRunning + 1, onHold: step.state.onHold || isHold });
  if (isHold) step.patch(saidNothing);
  step.clearTimers("idle");
  restartIdle(step);
}

/** EFFECT-11: a caller who hears music is neither listened to nor spoken to. */
export function onHoldChanged(step: TurnStep, { onHold }: { readonly onHold: boolean }): void {
  step.patch({ onHold, ...(onHold && saidNothing) });
  step.clearTimers("idle");
  const reply = runningReply(step.state.agent);
  if (onHold && (reply === undefined || mayBeCutOff(reply))) step.cancelReply("superseded");
  restartIdle(step);
}

export function onEffectEnded(
  step: TurnStep,
  { isHold, words }: { readonly isHold: boolean; readonly words: EffectWords | undefined },
): void {
  step.patch({
    effectsRunning: Math.max(0, step.state.effectsRunning - 1),
    onHold: step.state.onHold && !isHold,
    pendingWords: step.state.withPerson ? undefined : (words ?? step.state.pendingWords),
  });
  restartIdle(step);
  sayPendingWords(step);
}

/** Spoken as soon as nobody is speaking: the caller's words and the answer to them come first. */
export function sayPendingWords(step: TurnStep): void {
  const { agent, user, pendingWords } = step.state;
  if (pendingWords === undefined || agent.kind !== "listening") return;
  if (user.speech.kind === "speaking" || userText(user) !== "") return;
  step.patch({ pendingWords: undefined });
  step.beginReply(pendingWords);
}

/** Silence of the caller. Rules IDLE-1, IDLE-2, EFFECT-3 and EFFECT-7. */
import { endWithFarewell } from "./ending.ts";
import { askAgain, patienceOf } from "./takeover.ts";
import { maxReprompts } from "./turn-settings.ts";
import type { TurnStep } from "./turn-step.ts";

/** Starts measuring the caller's silence, if it is the caller's turn to speak. */
export function restartIdle(step: TurnStep): void {
  const { agent, user, onHold, isDeaf, withPerson } = step.state;
  if (onHold || isDeaf || withPerson || !step.settings.policy.agentSpeaks) return;
  if (agent.kind === "listening" && user.speech.kind !== "speaking")
    step.setTimer("idle", step.nowMs + patienceOf(step));
}

export function onCallerSilent(step: TurnStep): void {
  const { agent, isPaused, effectsRunning, gap, reprompts, withPerson } = step.state;
  if (agent.kind !== "listening" || isPaused || withPerson) return;
  // EFFECT-3: the silence is caused by us, but a caller who hears nothing for long has to be told that this is intended.
  if (effectsRunning > 0) step.beginReply("patience");
  else if (gap !== undefined) askAgain(step);
  else if (reprompts >= maxReprompts) endWithFarewell(step, "caller_silent");
  else {
    step.patch({ reprompts: reprompts + 1 });
    step.beginReply("reprompt");
  }
}

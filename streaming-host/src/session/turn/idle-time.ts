/** How long the caller may be silent. Rules IDLE-1, TAKE-3 and EFFECT-7. */
import { gapSilenceMs } from "./turn-settings.ts";
import type { TurnStep } from "./turn-step.ts";

/** Starts measuring the caller's silence, if it is the caller's turn to speak. */
export function restartIdle(step: TurnStep): void {
  const { agent, user, onHold, isDeaf, gap } = step.state;
  const { idleMs, policy } = step.settings;
  if (onHold || isDeaf || !policy.agentSpeaks) return;
  if (agent.kind === "listening" && user.speech.kind !== "speaking")
    step.setTimer("idle", step.nowMs + (gap === undefined ? idleMs : Math.min(gapSilenceMs, idleMs)));
}

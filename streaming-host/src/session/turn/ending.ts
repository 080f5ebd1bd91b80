/** How a conversation ends: after text that nothing interrupts (BARGE-9, END-4, VM-2), or without any. */
import { farewellOf } from "./turn-effects.ts";
import { emptyUserTurn } from "./turn-state.ts";
import type { TurnStep } from "./turn-step.ts";

export function endWithFarewell(step: TurnStep, reason: string): void {
  endAfter(step, reason);
  if (step.settings.policy.agentSpeaks) step.beginReply(farewellOf(reason));
  else step.end(reason);
}

export function endWithMessage(step: TurnStep, text: string, reason: string): void {
  endAfter(step, reason);
  if (text === "" || !step.settings.policy.agentSpeaks) step.end(reason);
  else step.beginReply("message", { text });
}

/** A tool has requested to hang up: the current reply is played to its end first. */
export function onEndRequested(step: TurnStep, reason: string): void {
  if (step.state.agent.kind === "listening") step.end(reason);
  else step.patch({ endReason: reason });
}

/** VM-2: nothing that the answering machine says is answered. */
export function onVoicemail(step: TurnStep): void {
  step.cancelReply("superseded");
  step.discardPrepared();
  step.patch({ isDeaf: true, user: emptyUserTurn });
  step.clearTimers("idle", "end-of-turn", "flush", "turn-watchdog");
}

function endAfter(step: TurnStep, reason: string): void {
  step.cancelReply("superseded");
  step.discardPrepared();
  step.patch({ endReason: reason });
}

/** The agent takes long to find its first word. Rules FILL-1 to FILL-3. */
import { fillerAgainMs, fillerRetryMs } from "./turn-settings.ts";
import { runningReply } from "./turn-state.ts";
import type { ActiveReply, AgentState } from "./turn-state.ts";
import type { TurnStep } from "./turn-step.ts";

export function onFillerDue(step: TurnStep): void {
  const { agent, user, isPaused } = step.state;
  const reply = runningReply(agent);
  if (reply === undefined) return;
  if (isPaused || agent.kind === "held" || user.speech.kind === "speaking") {
    step.setTimer("filler", step.nowMs + fillerRetryMs);
    return;
  }
  setReply(step, { ...reply, isOnlyFiller: true });
  step.emit({ type: "say-filler", turnId: reply.turnId });
  step.setTimer("filler", step.nowMs + fillerAgainMs);
}

/** The first words of the reply itself are there. */
export function onReplyWritten(step: TurnStep, turnId: string): void {
  const reply = runningReply(step.state.agent);
  if (reply?.turnId !== turnId) return;
  step.clearTimers("filler");
  if (!hasOnlyFiller(step.state.agent)) return;
  setReply(step, { ...reply, isOnlyFiller: false });
  // Its audio joins a track that plays already: FAIL-3 watches over that.
  if (step.state.agent.kind === "speaking") step.clearTimers("dead-air");
}

/** FAIL-1: what the caller hears is not yet what they wait for. */
export function hasOnlyFiller(agent: AgentState): boolean {
  return runningReply(agent)?.isOnlyFiller === true;
}

function setReply(step: TurnStep, reply: ActiveReply): void {
  const { agent } = step.state;
  if ("reply" in agent) step.setAgent({ ...agent, reply });
}

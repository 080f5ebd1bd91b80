/** Fillers while the agent's first word takes long. Rules FILL-1 to FILL-3. */
import { fillerAgainMs, fillerRetryMs } from "./turn-settings.ts";
import { runningReply } from "./turn-state.ts";
import type { ActiveReply, AgentState } from "./turn-state.ts";
import type { TurnStep } from "./turn-step.ts";

export function onFillerDue(step: TurnStep): void {
  const { agent, user, isPaused } = step.state;
  if (runningReply(agent) === undefined && agent.kind !== "awaiting") return;
  if (isPaused || agent.kind === "held" || user.speech.kind === "speaking") {
    step.setTimer("filler", step.nowMs + fillerRetryMs);
    return;
  }
  if (agent.kind === "awaiting") openExpectedReply(step, agent.sinceMs);
  const reply = runningReply(step.state.agent);
  if (reply === undefined) return;
  setReply(step, { isOnlyFiller: true });
  step.emit({ type: "say-filler", turnId: reply.turnId });
  step.setTimer("filler", step.nowMs + fillerAgainMs);
}

/** The service will answer but has not started; a filler spoken meanwhile belongs to that answer. */
function openExpectedReply(step: TurnStep, sinceMs: number): void {
  const { anchorMs = step.nowMs } = step.state.user;
  step.setUser({ speech: { kind: "quiet" } });
  step.beginReply("answer", { anchorMs: Math.min(anchorMs, step.nowMs), origin: "service" });
  setReply(step, { isExpected: true });
  step.setTimer("dead-air", sinceMs + step.settings.deadAirMs); // the caller has been waiting since then
}

/** The service has started the expected reply. */
export function onExpectedReplyBegun(step: TurnStep): void {
  const reply = runningReply(step.state.agent);
  if (reply?.isExpected === true) setReply(step, { isExpected: false });
}

/** The first text of the reply itself is available. */
export function onReplyWritten(step: TurnStep, turnId: string): void {
  const reply = runningReply(step.state.agent);
  if (reply?.turnId !== turnId) return;
  step.clearTimers("filler");
  if (!hasOnlyFiller(step.state.agent)) return;
  setReply(step, { isOnlyFiller: false });
  // The answer's audio joins a track that is already playing, which FAIL-3 monitors.
  if (step.state.agent.kind === "speaking") step.clearTimers("dead-air");
}

/** FAIL-1: the caller hears a filler, which is not yet the answer. */
export function hasOnlyFiller(agent: AgentState): boolean {
  return runningReply(agent)?.isOnlyFiller === true;
}

/** Updates the current reply. */
export function setReply(step: TurnStep, change: Partial<ActiveReply>): void {
  const { agent } = step.state;
  if ("reply" in agent) step.setAgent({ ...agent, reply: { ...agent.reply, ...change } });
}

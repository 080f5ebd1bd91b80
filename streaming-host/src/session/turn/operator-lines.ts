/**
 * Lines that an operator has the agent say (OPS-3): verbatim, when nobody is speaking and the caller is not on hold.
 */
import { userText } from "./turn-state.ts";
import type { TurnStep } from "./turn-step.ts";

/** More than anybody types while one answer is spoken. */
const maxWaiting = 10;

export function takeLine(step: TurnStep, text: string): void {
  if (!step.settings.policy.agentSpeaks) return;
  step.patch({ lines: [...step.state.lines, text].slice(0, maxWaiting) });
}

/** Called after every event, because any event may be the one after which nobody is speaking. */
export function sayNextLine(step: TurnStep): void {
  const { lines, agent, user, isDeaf, onHold, isPaused, stopped } = step.state;
  const [line, ...others] = lines;
  if (line === undefined || agent.kind !== "listening" || isDeaf || onHold || isPaused) return;
  // A caller who has just stopped speaking has said something that is still being recognised, or nothing; both are
  // known soon.
  if (user.speech.kind !== "quiet" || userText(user) !== "") return;
  // BARGE-3: what a sound without words has stopped goes on first, because after the line nobody would go back to it.
  if (stopped !== undefined) return;
  step.patch({ lines: others });
  step.beginReply("line", { text: line });
}

/** Lines that an operator makes the agent speak (OPS-3): verbatim, when nobody is speaking and the caller is not on hold. */
import { userText } from "./turn-state.ts";
import type { TurnStep } from "./turn-step.ts";

/** More than an operator types while one answer is spoken. */
const maxWaiting = 10;

export function takeLine(step: TurnStep, text: string): void {
  if (!step.settings.policy.agentSpeaks) return;
  step.patch({ lines: [...step.state.lines, text].slice(0, maxWaiting) });
}

/** Called after every event, because nobody may be speaking after any of them. */
export function sayNextLine(step: TurnStep): void {
  const { lines, agent, user, isDeaf, onHold, isPaused, stopped } = step.state;
  const [line, ...others] = lines;
  if (line === undefined || agent.kind !== "listening" || isDeaf || onHold || isPaused) return;
  // A caller who has just stopped speaking has either said something that is still being recognised, or nothing; either is known soon.
  if (user.speech.kind !== "quiet" || userText(user) !== "") return;
  // BARGE-3: a reply that a sound without words has stopped resumes first, because it would not be resumed after the line.
  if (stopped !== undefined) return;
  step.patch({ lines: others });
  step.beginReply("line", { text: line });
}

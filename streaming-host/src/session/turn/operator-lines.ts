/** What an operator has the agent say (OPS-3): word for word, when nobody speaks and the caller is not on hold. */
import { userText } from "./turn-state.ts";
import type { TurnStep } from "./turn-step.ts";

/** More than anybody types while one answer is spoken. */
const maxWaiting = 10;

export function takeLine(step: TurnStep, text: string): void {
  if (!step.settings.policy.agentSpeaks) return;
  step.patch({ lines: [...step.state.lines, text].slice(0, maxWaiting) });
}

/** After every event, because any of them may have been the one after which nobody speaks. */
export function sayNextLine(step: TurnStep): void {
  const { lines, agent, user, isDeaf, onHold, isPaused } = step.state;
  const [line, ...others] = lines;
  if (line === undefined || agent.kind !== "listening" || isDeaf || onHold || isPaused) return;
  // Who has just stopped speaking has said something that is not understood yet, or nothing, which is found out soon.
  if (user.speech.kind !== "quiet" || userText(user) !== "") return;
  step.patch({ lines: others });
  step.beginReply("line", { text: line });
}

/** How this caller pauses when they have not finished: learned from what they turned out to do (TURN-4). */
import { userText } from "./turn-state.ts";
import type { TurnStep } from "./turn-step.ts";

/** Shorter is the rhythm of speech; longer is a thought of its own. */
const shortestMs = 250;
const longestMs = 4000;

export function notePause(step: TurnStep, sinceMs: number): void {
  const { agent, user, pauses } = step.state;
  // Over the agent's words it is no pause: the caller was listening.
  if (agent.kind !== "listening" || user.speech.kind !== "stopped") return;
  if (userText(user) === "" && user.rejected === "") return;
  const pauseMs = sinceMs - user.speech.stoppedMs;
  if (pauseMs < shortestMs || pauseMs > longestMs) return;
  step.patch({ pauses: { count: pauses.count + 1, longestMs: Math.max(pauses.longestMs, pauseMs) } });
}

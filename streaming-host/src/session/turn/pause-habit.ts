/** How long this caller pauses within a turn, learned from pauses after which they continued (TURN-4). */
import { userText } from "./turn-state.ts";
import type { TurnStep } from "./turn-step.ts";

/** Shorter gaps are the rhythm of speech; longer ones separate thoughts. */
const shortestMs = 250;
const longestMs = 4000;

export function notePause(step: TurnStep, sinceMs: number): void {
  const { agent, user, pauses } = step.state;
  // Silence while the agent speaks is not a pause, because the caller was listening.
  if (agent.kind !== "listening" || user.speech.kind !== "stopped") return;
  if (userText(user) === "" && user.rejected === "") return;
  const pauseMs = sinceMs - user.speech.stoppedMs;
  if (pauseMs < shortestMs || pauseMs > longestMs) return;
  step.patch({ pauses: { count: pauses.count + 1, longestMs: Math.max(pauses.longestMs, pauseMs) } });
}

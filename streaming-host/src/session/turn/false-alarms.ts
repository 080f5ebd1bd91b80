/**
 * BARGE-14: counts how often sound over the agent's speech has recently turned out to be nothing. Music, a television or a murmuring
 * listener would make the agent stutter, so after two such sounds it continues speaking until there are words, as people do.
 */
import { mostFalseAlarms, waryMs } from "./turn-settings.ts";
import type { TurnStep } from "./turn-step.ts";

/** Sound alone no longer pauses the agent. */
export function isWaryOfSound({ state: { falseAlarms }, nowMs }: TurnStep): boolean {
  return falseAlarms.count >= mostFalseAlarms && nowMs - falseAlarms.latestMs <= waryMs;
}

export function noteFalseAlarm(step: TurnStep): void {
  const { count, latestMs } = step.state.falseAlarms;
  const before = step.nowMs - latestMs <= waryMs ? count : 0;
  step.patch({ falseAlarms: { count: Math.min(before + 1, mostFalseAlarms), latestMs: step.nowMs } });
}

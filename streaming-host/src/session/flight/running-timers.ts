/**
 * Which of the turn machine's timers run. The machine clears timers whether or not they run, and a record says only that
 * it did. Pure.
 */
import type { TurnEvent } from "../turn/turn-events.ts";
import type { EffectJson } from "./flight-segment.ts";

export type RunningTimers = ReadonlySet<string>;

export interface TimerStep {
  /** The timers that run after the step. */
  readonly running: RunningTimers;
  /** The timers that ran before the step, have not fired, and are no longer waited for. */
  readonly stopped: readonly string[];
}

/** Timers that were set before the record began are not known to run. */
export function stepTimers(before: RunningTimers, event: TurnEvent, effects: readonly EffectJson[]): TimerStep {
  const waiting = new Set(before);
  if (event.type === "timer") waiting.delete(event.timer);
  const running = new Set(waiting);
  for (const { type, timer } of effects) {
    if (type === "set-timer") running.add(String(timer));
    if (type === "clear-timer") running.delete(String(timer));
  }
  return { running, stopped: [...waiting].filter((timer) => !running.has(timer)) };
}

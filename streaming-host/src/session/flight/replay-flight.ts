/** Replays a conversation's flight record through the current turn machine. Pure. */
import { sortedJson } from "@voice/shared/platform/sorted-json";
import type { TurnEvent } from "../turn/turn-events.ts";
import { stepTurn } from "../turn/turn-machine.ts";
import type { TurnState } from "../turn/turn-state.ts";
import type { EffectJson, FlightSegment } from "./flight-segment.ts";
import { flightJson } from "./flight-values.ts";
import { stepTimers } from "./running-timers.ts";
import type { RunningTimers } from "./running-timers.ts";

export interface ReplayedStep {
  readonly wallMs: number;
  readonly event: TurnEvent;
  readonly recorded: readonly EffectJson[];
  /** The current machine's decision. */
  readonly today: readonly EffectJson[];
  /** The timers that ran until this step and that the recorded decision stopped. */
  readonly stoppedThen: readonly string[];
  /** The timers that the current machine's decision stops. */
  readonly stoppedToday: readonly string[];
  readonly isSame: boolean;
  /**
   * An earlier step of the same segment is decided differently now, so the machine's state differs from the recorded
   * one at this event. Each segment begins in the recorded state.
   */
  readonly followsDifference: boolean;
  /** The current machine's state after the event. */
  readonly state: TurnState;
}

export function replayFlight(segments: readonly FlightSegment[]): ReplayedStep[] {
  const replayed: ReplayedStep[] = [];
  let running: RunningTimers = new Set();
  for (const segment of segments) {
    replayed.push(...replaySegment(segment, running));
    for (const { event, effects } of segment.steps) ({ running } = stepTimers(running, event, effects));
  }
  return replayed;
}

function replaySegment(segment: FlightSegment, running: RunningTimers): ReplayedStep[] {
  const [first] = segment.steps;
  if (first === undefined) return [];
  let { state, settings } = segment;
  let [runningThen, runningToday] = [running, running];
  let followsDifference = false;
  return segment.steps.map((step) => {
    settings = step.settings ?? settings;
    const decided = stepTurn(state, step.event, settings);
    state = decided.state;
    const today: EffectJson[] = [...decided.effects];
    const isSame = canonical(today) === canonical(step.effects);
    const timersThen = stepTimers(runningThen, step.event, step.effects);
    const timersToday = stepTimers(runningToday, step.event, today);
    [runningThen, runningToday] = [timersThen.running, timersToday.running];
    const replayed: ReplayedStep = {
      wallMs: segment.wallMs + step.event.atMs - first.event.atMs,
      event: step.event,
      recorded: step.effects,
      today,
      stoppedThen: timersThen.stopped,
      stoppedToday: timersToday.stopped,
      isSame,
      followsDifference,
      state,
    };
    followsDifference ||= !isSame;
    return replayed;
  });
}

function canonical(value: unknown): string {
  return sortedJson(JSON.parse(flightJson(value)));
}

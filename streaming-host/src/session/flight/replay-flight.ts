/** Replays a conversation's flight record through the turn machine as it is today. Pure. */
import type { TurnEvent } from "../turn/turn-events.ts";
import { stepTurn } from "../turn/turn-machine.ts";
import type { TurnState } from "../turn/turn-state.ts";
import type { EffectJson, FlightSegment } from "./flight-segment.ts";
import { flightJson } from "./flight-values.ts";

export interface ReplayedStep {
  /** The wall clock when it became known. */
  readonly wallMs: number;
  readonly event: TurnEvent;
  /** What was decided then. */
  readonly recorded: readonly EffectJson[];
  /** What would be decided now. */
  readonly today: readonly EffectJson[];
  readonly isSame: boolean;
  /**
   * An earlier step of the same piece is decided differently now, so that the machine is not in the state in which it met
   * this event then. Each piece begins in the recorded state.
   */
  readonly followsDifference: boolean;
  /** After it, as of now. */
  readonly state: TurnState;
}

export function replayFlight(segments: readonly FlightSegment[]): ReplayedStep[] {
  return segments.flatMap(replaySegment);
}

function replaySegment(segment: FlightSegment): ReplayedStep[] {
  const [first] = segment.steps;
  if (first === undefined) return [];
  let { state, settings } = segment;
  let followsDifference = false;
  return segment.steps.map((step) => {
    settings = step.settings ?? settings;
    const decided = stepTurn(state, step.event, settings);
    state = decided.state;
    const today: EffectJson[] = [...decided.effects];
    const isSame = sortedJson(today) === sortedJson(step.effects);
    const replayed: ReplayedStep = {
      wallMs: segment.wallMs + step.event.atMs - first.event.atMs,
      event: step.event,
      recorded: step.effects,
      today,
      isSame,
      followsDifference,
      state,
    };
    followsDifference ||= !isSame;
    return replayed;
  });
}

/** Two equal values have the same, whatever the order of their keys. */
function sortedJson(value: unknown): string {
  return JSON.stringify(JSON.parse(flightJson(value)), (_, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}

/** Keeps what a conversation's turn machine met and decided, a piece at a time. Nobody waits for it. */
import type { TurnEffect } from "../turn/turn-effects.ts";
import type { TurnEvent } from "../turn/turn-events.ts";
import type { TurnSettings } from "../turn/turn-settings.ts";
import type { TurnState } from "../turn/turn-state.ts";
import { flightFormat } from "./flight-segment.ts";
import { flightJson } from "./flight-values.ts";

/** One event, and what came of it. */
export interface DecidedStep {
  readonly before: TurnState;
  readonly event: TurnEvent;
  readonly settings: TurnSettings;
  readonly after: TurnState;
  readonly effects: readonly TurnEffect[];
}

export interface FlightRecorder {
  stepped(step: DecidedStep): void;
  /** Hands over what has not been handed over yet. */
  flush(): void;
}

export const noFlightRecorder: FlightRecorder = { stepped: () => undefined, flush: () => undefined };

export interface FlightRecorderOptions {
  /** Takes a piece, as JSON. */
  readonly keep: (segment: string) => void;
  readonly wallNow: () => number;
}

/** A caller who talks on and on makes several partials a second; a piece is never more than some seconds of that. */
const longestPiece = 64;

export function createFlightRecorder({ keep, wallNow }: FlightRecorderOptions): FlightRecorder {
  let steps: DecidedStep[] = [];
  let wallMs = 0;

  function flush(): void {
    const [first] = steps;
    if (first === undefined) return;
    const { before, settings } = first;
    keep(flightJson({ format: flightFormat, wallMs, state: before, settings, steps: withChangedSettings(steps) }));
    steps = [];
  }

  return {
    stepped(step) {
      if (steps.length === 0) wallMs = wallNow();
      steps.push(step);
      if (steps.length === longestPiece || isOver(step)) flush();
    },
    flush,
  };
}

/** A reply is over, or the conversation: usually, nothing happens for a while. */
function isOver({ before, after }: DecidedStep): boolean {
  const { kind } = after.agent;
  return kind !== before.agent.kind && (kind === "listening" || kind === "ended");
}

/** Settings are made anew for each event, and are almost always the same. */
function withChangedSettings(steps: readonly DecidedStep[]): unknown[] {
  let known: string | undefined;
  return steps.map(({ event, effects, settings }) => {
    const text = flightJson(settings);
    const isNews = known !== undefined && text !== known;
    known = text;
    return isNews ? { event, effects, settings } : { event, effects };
  });
}

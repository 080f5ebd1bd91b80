/** Records a conversation's turn machine events and decisions, a segment at a time, without delaying anything. */
import type { TurnEffect } from "../turn/turn-effects.ts";
import type { TurnEvent } from "../turn/turn-events.ts";
import type { TurnSettings } from "../turn/turn-settings.ts";
import type { TurnState } from "../turn/turn-state.ts";
import { flightFormat } from "./flight-segment.ts";
import { flightJson } from "./flight-values.ts";

/** Records an event and its effects. */
export interface DecidedStep {
  readonly before: TurnState;
  readonly event: TurnEvent;
  readonly settings: TurnSettings;
  readonly after: TurnState;
  readonly effects: readonly TurnEffect[];
}

export interface FlightRecorder {
  stepped(step: DecidedStep): void;
  /** Writes what has not been written yet. */
  flush(): void;
}

export const noFlightRecorder: FlightRecorder = { stepped: () => undefined, flush: () => undefined };

export interface FlightRecorderOptions {
  /** Stores a segment of JSON. */
  readonly keep: (segment: string) => void;
  readonly wallNow: () => number;
}

/** A talkative caller causes several partials a second, so this bounds a segment to some seconds of speech. */
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

/** The end of a reply or of the conversation is usually followed by a pause, so a segment ends here. */
function isOver({ before, after }: DecidedStep): boolean {
  const { kind } = after.agent;
  return kind !== before.agent.kind && (kind === "listening" || kind === "ended");
}

/** Settings are created for each event, but are almost always equal. */
function withChangedSettings(steps: readonly DecidedStep[]): unknown[] {
  let known: string | undefined;
  return steps.map(({ event, effects, settings }) => {
    const text = flightJson(settings);
    const isNews = known !== undefined && text !== known;
    known = text;
    return isNews ? { event, effects, settings } : { event, effects };
  });
}

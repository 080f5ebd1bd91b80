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

/** A talkative caller causes several partials a second, so this bounds a segment to some seconds of speech. */
const longestPiece = 64;

/** Consecutive steps, and the wall clock at the first one. */
interface Piece {
  readonly wallMs: number;
  readonly steps: DecidedStep[];
}

export function createFlightRecorder(
  /** Stores a segment of JSON. */
  keep: (segment: string) => void,
  wallNow: () => number,
): FlightRecorder {
  let growing: Piece | undefined;
  const complete: Piece[] = [];
  let hasBegun = false;

  function write(): void {
    for (const piece of complete.splice(0)) keep(toJson(piece));
  }

  return {
    stepped(step) {
      growing ??= { wallMs: wallNow(), steps: [] };
      growing.steps.push(step);
      // The first step is written by itself, so that who looks while the agent greets is not told that nothing is recorded.
      if (hasBegun && growing.steps.length < longestPiece && !isOver(step)) return;
      hasBegun = true;
      complete.push(growing);
      growing = undefined;
      setImmediate(write); // what has just been decided comes first: it may be that the agent falls silent
    },
    flush() {
      if (growing !== undefined) complete.push(growing);
      growing = undefined;
      write();
    },
  };
}

function toJson({ wallMs, steps }: Piece): string {
  const state = steps[0]?.before;
  const settings = steps[0]?.settings;
  return flightJson({ format: flightFormat, wallMs, state, settings, steps: withChangedSettings(steps) });
}

/** The end of a reply or of the conversation is usually followed by a pause, so a segment ends here. */
function isOver({ before, after }: DecidedStep): boolean {
  const { kind } = after.agent;
  return kind !== before.agent.kind && (kind === "listening" || kind === "ended");
}

/** Settings are nearly always the same object, and otherwise often equal. */
function withChangedSettings(steps: readonly DecidedStep[]): unknown[] {
  let known = steps[0]?.settings;
  return steps.map(({ event, effects, settings }) => {
    const isNews = settings !== known && flightJson(settings) !== flightJson(known);
    known = settings;
    return isNews ? { event, effects, settings } : { event, effects };
  });
}

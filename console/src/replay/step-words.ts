/** Describes the turn machine's events, and its state after them, in words. */
import type { ReplayedStep } from "@voice/streaming-host/session/flight/replay-flight";

import { timerInWords } from "./effect-words.ts";
import { factsInWords, nameInWords, valueInWords } from "./value-words.ts";

type StepEvent = ReplayedStep["event"];

const eventWords: Readonly<Record<StepEvent["type"], string>> = {
  "session-started": "The conversation begins",
  "sound-started": "A sound began",
  "speech-started": "The caller begins to speak",
  "speech-stopped": "The caller stops speaking",
  "voice-judged": "A model judged the voice",
  partial: "Heard so far",
  final: "Understood",
  "whole-turn": "Written or keyed",
  "key-pressed": "The caller presses a key",
  "caller-finished": "The caller has finished",
  paused: "The page pauses, or goes on",
  "reply-audible": "The reply is heard",
  "reply-written": "The model has found words",
  "reply-drained": "The reply was heard to its end",
  "reply-failed": "The reply failed",
  "response-started": "The service answers",
  "reply-lost": "The reply’s connection is gone",
  "reply-stopped": "A guardrail stops the reply",
  "model-lost": "The realtime model is gone",
  "end-requested": "A tool ends the call",
  "effect-started": "Something is done with the call",
  "hold-changed": "The call goes on hold, or comes back",
  "effect-ended": "Something was done with the call",
  "farewell-requested": "Time to say goodbye",
  "voicemail-answered": "An answering machine",
  "last-words": "Last words are given",
  "line-given": "An operator gives a line",
  timer: "Time is up",
};

export function eventInWords({ type }: StepEvent): string {
  return eventWords[type];
}

/** What distinguishes it from others of its kind: the words, or the timer that fired. */
export function gistOf(event: StepEvent): string {
  if ("text" in event) return `“${event.text}”`;
  return event.type === "timer" ? `for ${timerInWords(event.timer)}` : "";
}

/** What its sentence and its words do not say. */
export function eventDetails(event: StepEvent): string {
  const said = new Set(["type", "atMs", "text", "timer"]);
  return factsInWords(Object.fromEntries(Object.entries(event).filter(([name]) => !said.has(name))));
}

export interface StateFact {
  readonly name: string;
  readonly value: string;
  readonly isNews: boolean;
}

/** The state after a step, one line for each part; parts in their initial state are left out. */
export function stateFacts(
  { state }: Pick<ReplayedStep, "state">,
  before: Pick<ReplayedStep, "state"> | undefined,
): readonly StateFact[] {
  const earlier = new Map(before === undefined ? [] : flatten(before.state));
  return flatten(state)
    .map(([name, value]) => ({
      name: placeInWords(name),
      value,
      isNews: before !== undefined && earlier.get(name) !== value,
    }))
    .filter(({ value, isNews }) => isNews || value !== "");
}

/** `Agent: reply`. */
function placeInWords(path: string): string {
  const [first = "", ...rest] = path.split(".").map(nameInWords);
  return rest.length === 0 ? first : `${first}: ${rest.join(", ").toLowerCase()}`;
}

/** Two levels deep; anything below is shown as one value. */
function flatten(values: object, prefix = ""): (readonly [string, string])[] {
  return Object.entries(values).flatMap(([key, value]: [string, unknown]) => {
    const name = prefix === "" ? key : `${prefix}.${key}`;
    if (prefix === "" && typeof value === "object" && value !== null && !Array.isArray(value))
      return flatten(value, name);
    return [[name, isNothing(value) ? "" : valueInWords(key, value)] as const];
  });
}

function isNothing(value: unknown): boolean {
  return (
    value === undefined ||
    value === false ||
    value === 0 ||
    value === "" ||
    (Array.isArray(value) && value.length === 0)
  );
}

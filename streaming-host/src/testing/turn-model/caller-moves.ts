/** What the caller and the recogniser may do next. There are few texts: one of each kind that the rules distinguish. */
import type { TimelessTurnEvent } from "../../session/turn/turn-events.ts";
import type { TurnSettings } from "../../session/turn/turn-settings.ts";
import { happen } from "./happen.ts";
import { backchannel } from "./world.ts";
import type { Utterance, World } from "./world.ts";

export interface NamedMove {
  readonly words: string;
  /** Undefined if the move is not possible now. */
  readonly apply: (world: World, settings: TurnSettings) => World | undefined;
}

/** How long the detector needs to detect that speech began or ended. */
const surelyBegunMs = 120;
const surelyEndedMs = 160;
const maxUtterances = 2;
const maxUnanswered = 2;

export const sentence = "i lost my card";

export const begins: NamedMove = {
  words: "the caller begins to speak",
  apply(world, settings) {
    const { utterances, nowMs } = world;
    if (world.speaksSinceMs !== undefined || utterances.length >= maxUtterances) return undefined;
    const sinceMs = Math.max(world.lastStoppedMs, nowMs - surelyBegunMs);
    const said: Utterance = { endedMs: undefined, partial: "", isAnswered: false };
    const speaking: World = { ...world, speaksSinceMs: sinceMs, utterances: [...utterances, said] };
    return happen(speaking, { type: "speech-started", sinceMs }, settings);
  },
};

/** Three frames of it: something else than speech, or the first consonant. */
const soundMs = 60;

const sounds: NamedMove = {
  words: "a sound begins",
  apply(world, settings) {
    if (world.speaksSinceMs !== undefined) return undefined;
    return happen(world, { type: "sound-started", sinceMs: world.nowMs - soundMs }, settings);
  },
};

export const stops: NamedMove = {
  words: "the caller stops speaking",
  apply(world, settings) {
    const { speaksSinceMs, nowMs } = world;
    if (speaksSinceMs === undefined) return undefined;
    const stoppedMs = Math.max(speaksSinceMs, nowMs - surelyEndedMs);
    return happen(silent(world, stoppedMs), { type: "speech-stopped", stoppedMs }, settings);
  },
};

/** The caller's voice is not heard any more. */
export function silent(world: World, stoppedMs: number): World {
  const utterances = world.utterances.map((said) => ({ ...said, endedMs: said.endedMs ?? stoppedMs }));
  return { ...world, speaksSinceMs: undefined, lastStoppedMs: stoppedMs, utterances };
}

export function hears(partial: string): NamedMove {
  return {
    words: `the recogniser hears "${partial}"`,
    apply(world, settings) {
      const [first, ...later] = world.utterances;
      if (first === undefined || first.partial !== "") return undefined;
      const heard: World = { ...world, utterances: [{ ...first, partial }, ...later] };
      return happen(heard, { type: "partial", text: partial }, settings);
    },
  };
}

/** The recogniser's final for the oldest speech: its partial so far, or else these words. */
export function finalises(words: string): NamedMove {
  return {
    words: words === "" ? "the recogniser finds no word" : `the final is "${words}"`,
    apply(world, settings) {
      const [first, ...later] = world.utterances;
      if (first !== undefined && first.partial !== "" && first.partial !== words) return undefined;
      if (first === undefined && words === "") return undefined;
      const endedMs = first?.endedMs ?? world.nowMs;
      const heard: World = { ...world, utterances: later };
      // If we do not end turns, a final is kept at once and answered when the service ends the turn.
      const needsAnswer = first?.isAnswered !== true && settings.policy.turnsEndedBy === "us";
      const waiting = needsAnswer ? addUnanswered(heard, words) : heard;
      if (waiting === undefined) return undefined;
      const { reply } = world;
      const replyRemainingMs = reply?.isNearlyOver === true ? 500 : Number.POSITIVE_INFINITY;
      return happen(waiting, { type: "final", text: words, endedMs, replyRemainingMs }, settings);
    },
  };
}

/** BARGE-3: a backchannel over a reply needs no answer, except into its end (BARGE-8). */
function addUnanswered(world: World, words: string): World | undefined {
  const isDropped = words === backchannel && world.reply !== undefined && !world.reply.isNearlyOver;
  if (words === "" || isDropped || world.isVoicemail || world.hasEnded) return world;
  return world.unanswered.length >= maxUnanswered ? undefined : { ...world, unanswered: [...world.unanswered, words] };
}

export function types(text: string): NamedMove {
  return {
    words: `the caller types "${text}"`,
    apply(world, settings) {
      const waiting = addUnanswered(world, text);
      return waiting && happen(waiting, { type: "whole-turn", text }, settings);
    },
  };
}

export const finishes: NamedMove = {
  words: "the client says that the caller has finished",
  apply: (world, settings) => happen(deafened(world, settings), { type: "caller-finished" }, settings),
};

export const pressesKey = told("the caller presses a key", { type: "key-pressed" });

export const pauses: NamedMove = {
  words: "the client pauses",
  apply: (world, settings) =>
    world.isPaused
      ? undefined
      : happen({ ...deafened(world, settings), isPaused: true }, { type: "paused", isPaused: true }, settings),
};

/** If the service ends turns, it detects and reports the silence itself. */
function deafened(world: World, { policy }: TurnSettings): World {
  return policy.turnsEndedBy === "service" ? world : silent(world, world.nowMs);
}

export const goesOn: NamedMove = {
  words: "the client goes on",
  apply: (world, settings) =>
    world.isPaused ? happen({ ...world, isPaused: false }, { type: "paused", isPaused: false }, settings) : undefined,
};

/** An event without preconditions that changes nothing around the machine. */
export function told(words: string, event: TimelessTurnEvent): NamedMove {
  return { words, apply: (world, settings) => happen(world, event, settings) };
}

export const callerMoves = {
  speaks: [
    begins,
    stops,
    hears(sentence),
    hears(backchannel),
    finalises(sentence),
    finalises(backchannel),
    finalises(""),
  ],
  writes: [sounds, types("stop"), finishes, pressesKey, pauses, goesOn],
} as const;

/** What the caller and the recogniser may do next. There are few texts: one of each kind that the rules distinguish. */
import type { TimelessTurnEvent } from "../../session/turn/turn-events.ts";
import type { TurnSettings } from "../../session/turn/turn-settings.ts";
import { happen } from "./happen.ts";
import { backchannel, nextTimer } from "./world.ts";
import type { Utterance, World } from "./world.ts";

export interface NamedMove {
  readonly words: string;
  /** Undefined if the move is not possible now. */
  readonly apply: (world: World, settings: TurnSettings) => World | undefined;
}

/** How long the detector needs to detect that speech began or ended. */
const surelyBegunMs = 120;
const surelyEndedMs = 160;
/** What speech, a pause and a word take at least, so that times say which was first. */
const frameMs = 20;
const maxUtterances = 2;
const maxUnanswered = 2;

export const sentence = "i lost my card";
/** What follows it in the same breath. */
const rest = "yesterday";
/** Words so soft that the detector does not notice them. */
const aside = "it is gone";

export const begins: NamedMove = {
  words: "the caller begins to speak",
  apply(world, settings) {
    const { utterances } = world;
    if (world.speaksSinceMs !== undefined || utterances.length >= maxUtterances) return undefined;
    const sinceMs = Math.max(world.lastStoppedMs + frameMs, world.nowMs - surelyBegunMs);
    const nowMs = Math.max(world.nowMs, sinceMs + frameMs);
    if (nowMs > world.nowMs && isTimerDueBy(world, nowMs)) return undefined;
    const said: Utterance = { endedMs: undefined, partial: "", isAnswered: false };
    const speaking: World = { ...world, nowMs, speaksSinceMs: sinceMs, utterances: [...utterances, said] };
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
    const stoppedMs = Math.max(speaksSinceMs + frameMs, nowMs - surelyEndedMs);
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
      const endedMs = first.endedMs ?? (world.speaksSinceMs ?? world.nowMs) + frameMs;
      return happen(heard, { type: "partial", text: partial, endedMs }, settings);
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

/** The recogniser was behind: its final has one word more than was heard until then. */
const finalHasMore: NamedMove = {
  words: "the final has more words than were heard so far",
  apply(world, settings) {
    const [first, ...later] = world.utterances;
    if (first?.partial !== sentence || settings.policy.turnsEndedBy !== "us") return undefined;
    const whole = `${sentence} ${rest}`;
    // To a caller who was asked to repeat it all, the end of it is not answered (TAKE-3).
    const isKnown = first.isAnswered && world.isAskedToRepeat;
    const waiting = isKnown ? world : addUnanswered(world, first.isAnswered ? rest : whole);
    if (waiting === undefined) return undefined;
    const { endedMs = world.nowMs } = first;
    return happen({ ...waiting, utterances: later }, finalOf(whole, endedMs), settings);
  },
};

/** The final of an answered turn never comes (its stream has broken), and then somebody says something softly. */
const finalNeverComes: NamedMove = {
  words: "the final of what was answered never comes, but one of words that the detector has not heard",
  apply(world, settings) {
    const [first, ...later] = world.utterances;
    const nowMs = world.nowMs + soundMs;
    if (first?.isAnswered !== true || later.length > 0 || isTimerDueBy(world, nowMs)) return undefined;
    const waiting = addUnanswered({ ...world, nowMs, utterances: [] }, aside);
    return waiting && happen(waiting, finalOf(aside, nowMs), settings);
  },
};

function isTimerDueBy(world: World, atMs: number): boolean {
  const next = nextTimer(world);
  return next !== undefined && next.dueMs <= atMs;
}

/** A recogniser that does not separate them: one final, in which what was said first may have been answered. */
const finalJoinsBoth: NamedMove = {
  words: "one final has what was said before and what has been said since",
  apply(world, settings) {
    const [first, second] = world.utterances;
    if (first?.partial !== sentence || second === undefined || settings.policy.turnsEndedBy !== "us") return undefined;
    const text = `${sentence} ${rest}`;
    const { endedMs = world.nowMs } = second;
    // Where nobody spoke when the turn ended that has answered its beginning, all of it was said before, and only the rest is new.
    const { turnEndedMs = Number.NEGATIVE_INFINITY, speechSinceMs } = world.turn.lateFinal ?? {};
    const isLate = first.isAnswered && speechSinceMs === undefined && endedMs <= turnEndedMs;
    const waiting = addUnanswered({ ...world, utterances: [] }, isLate ? rest : text);
    return waiting && happen(waiting, finalOf(text, endedMs), settings);
  },
};

/** While no reply is about to end. */
function finalOf(text: string, endedMs: number): TimelessTurnEvent {
  return { type: "final", text, endedMs, replyRemainingMs: Number.POSITIVE_INFINITY };
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
  apply: (world, settings) => happen(silent(world, world.nowMs), { type: "caller-finished" }, settings),
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

/** SPEECH-8. */
const nobodyKnows: NamedMove = {
  words: "no recogniser can tell what was said",
  apply(world, settings) {
    const [first, ...later] = world.utterances;
    if (first?.endedMs === undefined || settings.policy.turnsEndedBy !== "us") return undefined;
    // Words that were heard so far are answered in their place, except beside a person, who has heard all of them.
    const utterances = first.partial === "" || world.hasPerson ? later : world.utterances;
    return happen({ ...world, utterances }, { type: "words-unknown" }, settings);
  },
};

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
  late: [finalHasMore, finalNeverComes, finalJoinsBoth, nobodyKnows],
  writes: [sounds, types("stop"), finishes, pressesKey, pauses, goesOn],
} as const;

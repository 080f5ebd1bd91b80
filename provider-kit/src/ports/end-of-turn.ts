/**
 * Has the caller finished? An estimator says how probable that is, from everything that is known when they fall silent, and
 * how long to wait for more. It is pure and answers at once: it is asked again with every word and every pause.
 */
import type { SentenceState } from "./recogniser.ts";

/** What the agent has just asked for. */
export type Expected =
  /** It has asked nothing. */
  | { readonly kind: "nothing" }
  | { readonly kind: "digits"; readonly length: number | undefined }
  | { readonly kind: "yes-or-no" }
  /** One of several things that the question names: all its words. */
  | { readonly kind: "choice"; readonly words: ReadonlySet<string> }
  | { readonly kind: "anything" };

/** How the last words were said. Each value is undefined where too little was heard of it. */
export interface Prosody {
  /** Semitones per second over the last voiced half second; falling at the end of a statement. */
  readonly pitchSlope: number | undefined;
  /** Decibels per second over the last 300 ms of speech. */
  readonly energySlope: number | undefined;
}

/** How this caller has paused so far without having finished. */
export interface PauseHabit {
  readonly count: number;
  readonly longestMs: number;
}

export interface TurnEvidence {
  /** All that was heard of the turn. */
  readonly text: string;
  /** The recogniser has settled the text. One that segments by meaning has found that it is a whole. */
  readonly isFinal: boolean;
  readonly sentence: SentenceState | undefined;
  readonly expected: Expected;
  readonly prosody: Prosody | undefined;
  readonly pauses: PauseHabit;
  /** The wait where nothing speaks for one or the other. */
  readonly middleMs: number;
}

export const endOfTurnReasons = [
  "whole_sentence",
  "sentence_may_go_on",
  "beginning_of_sentence",
  "asked_for",
  "digits_missing",
  "short_answer",
  "hesitation",
  "closed_text",
  "open_text",
  "settled",
  "falling_voice",
  "held_voice",
  "pauses_often",
] as const;

export type EndOfTurnReason = (typeof endOfTurnReasons)[number];

export interface EndOfTurnEstimate {
  /** That the caller has finished: 0 to 1. */
  readonly probability: number;
  /** Silence after the last speech. */
  readonly waitMs: number;
  /** What has decided it, the weightiest first. */
  readonly reasons: readonly EndOfTurnReason[];
}

export interface EndOfTurnEstimator {
  estimate(evidence: TurnEvidence): EndOfTurnEstimate;
}

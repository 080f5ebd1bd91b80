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
  /** How many, how old, at what time: a number that is said as one, not digit by digit. */
  | { readonly kind: "quantity" }
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
  /** That the caller has finished, by the sound of their voice alone: 0 to 1. Absent where no model judges it. */
  readonly voice?: number | undefined;
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
  "voice_finished",
  "voice_goes_on",
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

/** A model that hears the caller's voice. It takes tens of milliseconds, so its finding is evidence that may come late. */
export interface VoiceEndOfTurnModel {
  /**
   * `samples`: the caller's turn so far at 16 kHz, up to its pause. Resolves to the probability (0 to 1) that they have finished,
   * or to undefined where the model has no time for this turn; rejects with a `VoiceError` where it fails.
   */
  judge(samples: Int16Array, signal: AbortSignal): Promise<number | undefined>;
  close(): Promise<void>;
}

export interface EndOfTurnEstimator {
  estimate(evidence: TurnEvidence): EndOfTurnEstimate;
}

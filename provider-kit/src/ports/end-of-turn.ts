/**
 * Estimates whether the caller has finished. An estimator says how probable this is, from everything that is known when they fall silent,
 * and how long to wait for more. It is pure and returns at once, because it is called again with every word and every pause.
 */
import type { SentenceState } from "./recogniser.ts";

/** What the agent has just asked for. */
export type Expected =
  /** The agent has asked for nothing. */
  | { readonly kind: "nothing" }
  | { readonly kind: "digits"; readonly length: number | undefined }
  /** How many, how old, at what time: a number spoken as a whole, not digit by digit. */
  | { readonly kind: "quantity" }
  | { readonly kind: "yes-or-no" }
  /** One of several options that the question names: the words of all of them. */
  | { readonly kind: "choice"; readonly words: ReadonlySet<string> }
  | { readonly kind: "anything" };

/** How the last words were spoken. A value is undefined if there was too little speech to measure it. */
export interface Prosody {
  /** Semitones per second over the last voiced half second; falling at the end of a statement. */
  readonly pitchSlope: number | undefined;
  /** Decibels per second over the last 300 ms of speech. */
  readonly energySlope: number | undefined;
  /** By how many decibels the loudest of the last words stand out from the line after them. */
  readonly overNoiseDb?: number | undefined;
}

/** How this caller has paused so far without having finished. */
export interface PauseHabit {
  readonly count: number;
  readonly longestMs: number;
}

export interface TurnEvidence {
  /** The text of the turn so far. */
  readonly text: string;
  /** The recogniser will not change the text. A recogniser that segments by meaning considers it complete. */
  readonly isFinal: boolean;
  readonly sentence: SentenceState | undefined;
  readonly expected: Expected;
  readonly prosody: Prosody | undefined;
  /** The probability, 0 to 1, that the caller has finished, by the sound of their voice alone. Absent if no model judges it. */
  readonly voice?: number | undefined;
  readonly pauses: PauseHabit;
  /** The wait if no finding suggests a shorter or longer one. */
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
  "noisy_line",
] as const;

export type EndOfTurnReason = (typeof endOfTurnReasons)[number];

export interface EndOfTurnEstimate {
  /** The probability, 0 to 1, that the caller has finished. */
  readonly probability: number;
  /** Required silence after the last speech. */
  readonly waitMs: number;
  /** The findings that decided, the most important first. */
  readonly reasons: readonly EndOfTurnReason[];
}

/** A model that judges the caller's voice. It takes tens of milliseconds, so its finding is evidence that may come late. */
export interface VoiceEndOfTurnModel {
  /**
   * `samples`: the caller's turn so far at 16 kHz, up to its pause. Resolves to the probability (0 to 1) that they have finished, or to
   * undefined if the model has no capacity for this turn; rejects with a `VoiceError` if it fails.
   */
  judge(samples: Int16Array, signal: AbortSignal): Promise<number | undefined>;
  close(): Promise<void>;
}

export interface EndOfTurnEstimator {
  estimate(evidence: TurnEvidence): EndOfTurnEstimate;
}

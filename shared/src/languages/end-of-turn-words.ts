/**
 * The words from which the end-of-turn estimator judges whether a caller has finished. All are in the form that the
 * estimator sees, without punctuation.
 */

export interface EndOfTurnWords {
  /** Answers that are whole turns, however short they are. */
  readonly shortAnswers: ReadonlySet<string>;
  /** A turn that stops at one of these will continue. */
  readonly hesitations: ReadonlySet<string>;
  /** Words that hesitate at the beginning of a turn, and may end a sentence: "well, yes", but "that is all as well". */
  readonly fillers: ReadonlySet<string>;
  /** Words with which no sentence ends. */
  readonly joints: ReadonlySet<string>;
  /** Words said along with the requested answer: "it is my savings account please". */
  readonly carriers: ReadonlySet<string>;
  /** Words of one letter. Any other single letter is part of a spelling, and more letters follow. */
  readonly letters: ReadonlySet<string>;
  /**
   * Numerals that can stand for a thing ("the green one"), and the words after which they are numerals all the same
   * ("it is one").
   */
  readonly pronouns: { readonly words: ReadonlySet<string>; readonly numeralsAfter: ReadonlySet<string> };
}

/** The words by which the estimator of the end of a turn judges where a caller stands. All as the estimator sees them: without punctuation. */

export interface EndOfTurnWords {
  /** Whole turns, however short. */
  readonly shortAnswers: ReadonlySet<string>;
  /** A turn that stops at one of these goes on. */
  readonly hesitations: ReadonlySet<string>;
  /** No sentence ends in these. */
  readonly joints: ReadonlySet<string>;
  /** Said along with what was asked for: "it is my savings account please". */
  readonly carriers: ReadonlySet<string>;
  /** Words of one letter. Other single letters are spelt, and more of them follow. */
  readonly letters: ReadonlySet<string>;
  /** Numerals that stand for a thing ("the green one"), and the words behind which they are numerals all the same ("it is one"). */
  readonly pronouns: { readonly words: ReadonlySet<string>; readonly numeralsAfter: ReadonlySet<string> };
}

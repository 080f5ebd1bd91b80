/**
 * How codes compare that were found in one utterance. Apart from the search (spoken-code.ts), because a host's main thread compares codes, and with
 * the search it would load the open recogniser's vocabulary, which takes 8 MB.
 */

/** A text that is less probable than the best by more than this factor's logarithm is not followed. */
export const widestBeam = 6;
/** Of two codes that were found, one cannot be known to be more probable by more than the beam is wide. */
const mostLead = widestBeam;
/** Who says something else says nothing that is a code of the right length, compared with the free text, by this little. */
export const leastFit = -6;

/** These digits may have been said, and nothing else. `fit`: the logarithm of how much more probable they are than the free text. */
export function mayBeSaid<Digits extends { readonly fit: number }>(digits: Digits | undefined): digits is Digits {
  return digits !== undefined && digits.fit > leastFit;
}

interface Scored {
  /** The natural logarithm of its probability, but for a term that all of them share. */
  readonly score: number;
}

/** The best first. */
export function byProbability<Code extends Scored>(codes: readonly Code[]): readonly Code[] {
  return codes.toSorted((one, other) => other.score - one.score);
}

/** The natural logarithm of how much more probable the first of codes is than any other. */
export function leadOf([best, second]: readonly Scored[]): number {
  return best === undefined || second === undefined ? mostLead : Math.min(mostLead, best.score - second.score);
}

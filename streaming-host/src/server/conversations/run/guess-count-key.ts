/**
 * ACCESS-12, NUM-4: the key under which wrong answers about a customer's identity are counted together. A stored customer is the same in every session. The default one has the same details everywhere, so there guesses are
 * counted per caller, as far as the caller is known. Callers who are not known have nothing in common: their guesses are counted
 * per session at the default customer, and at a stored one apart from those of known callers, whom they could lock out.
 */
export function guessCountKey(profileId: string | undefined, guesser: string | undefined, sessionId: string): string {
  if (profileId !== undefined) return guesser === undefined ? `${profileId} by unknown callers` : profileId;
  return guesser === undefined ? `default in ${sessionId}` : `default for ${guesser}`;
}

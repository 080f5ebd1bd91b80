/**
 * Backchannels, with which listeners show that they are there, and hesitations ("um, well"), with which they begin to
 * speak. They are neither requests nor answers.
 */
const sounds = new Set("uh huh uhhuh um er ah oh hm hmm mm mmm mhm mmhmm aha well so".split(" "));

export function isListenerSound(tokens: readonly string[]): boolean {
  return tokens.length > 0 && tokens.every((token) => sounds.has(token));
}

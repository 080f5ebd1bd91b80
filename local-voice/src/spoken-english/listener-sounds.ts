/** Backchannels, with which listeners show that they are there. They are neither requests nor answers. */
const sounds = new Set("uh huh uhhuh um er ah oh hm hmm mm mmm mhm mmhmm aha".split(" "));

export function isListenerSound(tokens: readonly string[]): boolean {
  return tokens.length > 0 && tokens.every((token) => sounds.has(token));
}

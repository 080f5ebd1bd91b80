/**
 * The text of a recogniser with an open vocabulary in the spelling of the agents' examples. It has capitals and punctuation, which every
 * reader of a transcript expects, and numerals, which the rules read; what is left are words that are written in two ways.
 */

/** The recogniser's spelling, and the usual one. */
const spellings: readonly (readonly [RegExp, string])[] = [
  [/\bgood[- ]?bye?\b/gi, "goodbye"],
  [/\bbye?[- ]bye?\b/gi, "bye bye"],
  [/\be-mail/gi, "email"],
  [/\b([ap])\.\s?m\b\.?/gi, "$1m"],
];

export function normaliseOpenText(text: string): string {
  return spellings.reduce((words, [written, usual]) => words.replaceAll(written, usual), text);
}

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

/** Where it is lost in noise, the recogniser repeats what it has written, up to the most that it may write. */
const repeated = /\b(\S+(?: \S+){1,11}?)(?: \1){2,}.*/s;

export function normaliseOpenText(text: string): string {
  const once = text.replace(repeated, "$1");
  return spellings.reduce((words, [written, usual]) => words.replaceAll(written, usual), once);
}

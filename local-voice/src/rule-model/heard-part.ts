/** Limits a very long turn to its beginning. */

/** Somebody who speaks for half a minute without a pause says about 80 words. */
const maxWords = 100;
const maxCharacters = 800;

/**
 * For each turn that a reply considers, the sentence is compared with every example and searched for numbers and dates at every word. That
 * is fast only because sentences are short, so the rest of a longer one is ignored.
 */
export function heardPart(text: string): string {
  const beginning = text.length <= maxCharacters ? text : text.slice(0, maxCharacters);
  const words = beginning.split(/\s+/);
  return words.length <= maxWords ? beginning : words.slice(0, maxWords).join(" ");
}

/** What is understood of a very long turn: its beginning. */

/** Somebody who speaks for half a minute without a pause says about 80 words. */
const maxWords = 100;
const maxCharacters = 800;

/**
 * Every sentence is compared with every example, and its numbers and dates are read at every word, for each turn that a
 * reply looks back on: that is quick because sentences are short, so nothing longer is looked at.
 */
export function heardPart(text: string): string {
  const beginning = text.length <= maxCharacters ? text : text.slice(0, maxCharacters);
  const words = beginning.split(/\s+/);
  return words.length <= maxWords ? beginning : words.slice(0, maxWords).join(" ");
}

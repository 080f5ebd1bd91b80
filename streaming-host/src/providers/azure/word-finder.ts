const lookAheadCharacters = 80;

/**
 * Finds the words that the service reports in the requested text. The service counts positions in its own document, including markup and
 * escapes; the words themselves are reported in order, so searching forward is enough.
 */
export class WordFinder {
  readonly #text: string;
  #from = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The start of the next occurrence, or undefined for a word that the text does not contain (a number read out). */
  find(word: string): number | undefined {
    if (word === "") return undefined;
    // Bounded, so that one unmatched word does not skip half of the text.
    const ahead = this.#text.slice(this.#from, this.#from + word.length + lookAheadCharacters).indexOf(word);
    if (ahead === -1) return undefined;
    const at = this.#from + ahead;
    this.#from = at + word.length;
    return at;
  }
}

const lookAheadCharacters = 80;

/**
 * Finds the words that the service reports in the text that was asked for. The service counts positions in its own
 * document, markup and escapes included; the words themselves come in order, so looking forward is enough.
 */
export class WordFinder {
  readonly #text: string;
  #from = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Where the next occurrence begins, or nothing for a word that the text does not contain (a number read out). */
  find(word: string): number | undefined {
    if (word === "") return undefined;
    // Bounded, so that one odd word does not skip half of the text.
    const ahead = this.#text.slice(this.#from, this.#from + word.length + lookAheadCharacters).indexOf(word);
    if (ahead === -1) return undefined;
    const at = this.#from + ahead;
    this.#from = at + word.length;
    return at;
  }
}

/** Finds where a bracket is closed; brackets within quotes do not count. */

/** Follows brackets and quotes through a text, character by character. */
export class Nesting {
  readonly #quotes: string;
  #quote = "";
  #isEscaped = false;
  depth = 0;

  /** JSON has one kind of quote, Python two. */
  constructor(quotes = '"') {
    this.#quotes = quotes;
  }

  /** Returns whether this character closes the outermost bracket. */
  accept(character: string): boolean {
    if (this.#quote !== "") {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (character === "\\") this.#isEscaped = true;
      else if (character === this.#quote) this.#quote = "";
      return false;
    }
    if (this.depth > 0 && this.#quotes.includes(character)) this.#quote = character;
    else if ("{[(".includes(character)) this.depth++;
    else if ("}])".includes(character) && this.depth > 0) return --this.depth === 0;
    return false;
  }
}

/** The index of the bracket that closes the one at `start`. */
export function closingBracket(text: string, start: number, quotes?: string): number | undefined {
  const nesting = new Nesting(quotes);
  for (let index = start; index < text.length; index++) if (nesting.accept(text.charAt(index))) return index;
  return undefined;
}

/**
 * Servers and models that escape what they write, as HTML or twice as JSON: `&lt;think&gt;`, `\u003cthink\u003e`. These are replaced by the
 * brackets they stand for before the text is examined. Other entities are replaced later, with the other characters that the voice cannot
 * read.
 */
const escaped = /&(?:lt|#60|#x3c);|&(?:gt|#62|#x3e);|\\u003([ce])/gi;
const beginning = /(?:&(?:[lg]t?|#(?:6[02]?|x(?:3[ce]?)?)?)?|\\(?:u(?:0(?:0(?:3)?)?)?)?)$/i;

export class EscapedMarks {
  #waiting = "";

  push(piece: string): string {
    const text = this.#waiting + piece;
    this.#waiting = beginning.exec(text)?.[0] ?? "";
    return unescaped(text.slice(0, text.length - this.#waiting.length));
  }

  end(): string {
    const rest = this.#waiting;
    this.#waiting = "";
    return rest;
  }
}

function unescaped(text: string): string {
  return text.replaceAll(escaped, (written) => (/lt|60|3c/i.test(written) ? "<" : ">"));
}

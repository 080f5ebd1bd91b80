/**
 * Measures a JSON text before it is parsed. Half a megabyte can hold fifty thousand keys, which take a schema half a
 * second; long strings such as audio cost next to nothing.
 */

export interface JsonSize {
  /** Nesting of brackets; for well-formed JSON the depth of the value. */
  readonly depth: number;
  /** Keys, and entries of lists, on all levels together. */
  readonly values: number;
}

export function sizeOfJson(text: string): JsonSize {
  let depth = 0;
  let deepest = 0;
  let values = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = endOfString(text, at);
        break;
      case comma:
        values += 1;
        break;
      case openBrace:
      case openBracket:
        depth += 1;
        values += 1;
        if (depth > deepest) deepest = depth;
        break;
      case closeBrace:
      case closeBracket:
        depth -= 1;
        break;
      default:
    }
  }
  return { depth: deepest, values };
}

/** Whether the text is long enough for that many: each takes at least two characters, including the comma. */
export function mayHoldMore(text: string, values: number): boolean {
  return text.length > 2 * values && sizeOfJson(text).values > values;
}

function endOfString(text: string, opening: number): number {
  for (let at = text.indexOf('"', opening + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === backslash) backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
  return text.length;
}

const [quote, comma, backslash, openBrace, closeBrace, openBracket, closeBracket] = [34, 44, 92, 123, 125, 91, 93];

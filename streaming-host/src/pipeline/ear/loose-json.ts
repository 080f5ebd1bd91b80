/** Reads tool arguments as models write them: JSON, Python literals, and Gemma's unquoted keys. Pure. */
import { parseJson } from "@voice/shared/platform/parse-json";

type Json = Readonly<Record<string, unknown>>;

/** Undefined if the text is none of these. */
export function readLiteral(text: string): unknown {
  const value = parseJson(text);
  return value === undefined ? new LiteralReader(text).readWhole() : value;
}

/** `city="Paris", days=2`; undefined for anything else. */
export function readKeywords(text: string): Json | undefined {
  const found = new LiteralReader(`{${text}}`).readWhole();
  return typeof found === "object" && found !== null && !Array.isArray(found)
    ? Object.fromEntries(Object.entries(found))
    : undefined;
}

const constants: Readonly<Record<string, unknown>> = {
  true: true,
  True: true,
  false: false,
  False: false,
  null: null,
  None: null,
};
/** Gemma's quotes: `<|"|>` in the fourth generation, `<escape>` in FunctionGemma. */
const quotes = ['<|"|>', "<escape>", '"', "'"];
/** Deeper than any tool's arguments. A model that repeats a bracket must not exhaust the stack. */
const deepest = 40;

class Unreadable extends Error {}

class LiteralReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  readWhole(): unknown {
    try {
      const value = this.#value(0);
      this.#skipSpace();
      return this.#at === this.#text.length ? value : undefined;
    } catch (error) {
      if (error instanceof Unreadable) return undefined;
      throw error;
    }
  }

  #value(depth: number): unknown {
    this.#skipSpace();
    if (depth > deepest) throw new Unreadable();
    const quote = quotes.find((each) => this.#text.startsWith(each, this.#at));
    if (quote !== undefined) return this.#string(quote);
    if (this.#take("{")) return Object.fromEntries(this.#list("}", () => this.#pair(depth + 1)));
    if (this.#take("[")) return this.#list("]", () => this.#value(depth + 1));
    if (this.#take("(")) return this.#list(")", () => this.#value(depth + 1));
    const word = this.#match(/[^\s,{}[\]()=:"'<>]+/y);
    if (Object.hasOwn(constants, word)) return constants[word];
    const number = Number(word);
    if (word !== "" && Number.isFinite(number)) return number;
    throw new Unreadable();
  }

  #pair(depth: number): readonly [string, unknown] {
    this.#skipSpace();
    const quote = quotes.find((each) => this.#text.startsWith(each, this.#at));
    const key = quote === undefined ? this.#match(/[\w.-]+/y) : this.#string(quote);
    this.#skipSpace();
    if (key === "" || !(this.#take(":") || this.#take("="))) throw new Unreadable();
    return [key, this.#value(depth)];
  }

  #list<Item>(end: string, read: () => Item): Item[] {
    const items: Item[] = [];
    for (;;) {
      this.#skipSpace();
      if (this.#take(end)) return items;
      if (items.length > 0) {
        if (!this.#take(",")) throw new Unreadable();
        this.#skipSpace();
        if (this.#take(end)) return items;
      }
      items.push(read());
    }
  }

  #string(quote: string): string {
    this.#at += quote.length;
    if (quote.length > 1) {
      const end = this.#text.indexOf(quote, this.#at);
      if (end === -1) throw new Unreadable();
      const text = this.#text.slice(this.#at, end);
      this.#at = end + quote.length;
      return text;
    }
    const body = this.#match(quote === '"' ? /(?:[^"\\]|\\[\s\S])*/y : /(?:[^'\\]|\\[\s\S])*/y);
    if (!this.#take(quote)) throw new Unreadable();
    return body.replaceAll(/\\(?:u([0-9a-fA-F]{4})|([\s\S]))/g, (_all, code: string | undefined, letter: string) =>
      code === undefined ? (escapes[letter] ?? letter) : String.fromCharCode(Number.parseInt(code, 16)),
    );
  }

  #take(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [found = ""] = pattern.exec(this.#text) ?? [];
    this.#at += found.length;
    return found;
  }

  #skipSpace(): void {
    this.#match(/\s+/y);
  }
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f" };

/**
 * Converts numbers to words and words to numbers. A language defines how it spells the numbers below a thousand, and
 * the reader is built from those spellings, so that it can read everything the service says. People say codes in pieces
 * ("forty four twelve"), and each piece is a number of its own.
 */

export interface NumberRun {
  readonly start: number;
  readonly end: number;
  readonly value: number;
  /** The digits as text; for "double two" this is "22". */
  readonly digits: string;
}

export interface SpokenNumbers {
  /** Fractions are cut off. */
  toWords(value: number): string;
  /** `tokens`: words in lower case, without hyphens. */
  find(tokens: readonly string[]): readonly NumberRun[];
}

export interface NumeralForms {
  /** The spellings of a number from 0 to 999, with spaces instead of hyphens; there may be several. */
  readonly spellings: (value: number) => readonly string[];
  /** The word for 1000, if it is a separate word. */
  readonly thousand: string;
  /** Numbers that have this form only before the word for 1000, such as "ein"; "mil" alone is 1000. */
  readonly beforeThousand?: Readonly<Record<string, number>>;
  /** Whether the word for 1000 may stand alone: "mille", "tausend". */
  readonly isThousandAlone: boolean;
  /** A word that some people say after the word for 1000: "one thousand and one". */
  readonly afterThousand?: string;
  /** Words that repeat the digit after them: "double two". */
  readonly repetitions?: Readonly<Record<string, number>>;
  /** Splits one written word into several: "zweitausendeins". */
  readonly split?: (token: string) => string;
}

interface Piece {
  readonly value: number;
  readonly end: number;
}

/** The table is built when something is first read, because a thousand numbers take several milliseconds. */
export function numberReader(forms: NumeralForms): SpokenNumbers["find"] {
  let known: { readonly table: ReadonlyMap<string, number>; readonly longest: number } | undefined;

  function below1000(words: readonly string[], at: number): Piece | undefined {
    known ??= withLongest(tableOf(forms.spellings));
    const { table, longest } = known;
    for (let count = Math.min(longest, words.length - at); count > 0; count--) {
      const value = table.get(words.slice(at, at + count).join(" "));
      if (value !== undefined) return { value, end: at + count };
    }
    return undefined;
  }

  function cardinal(words: readonly string[], at: number): Piece | undefined {
    const only = forms.beforeThousand?.[words[at] ?? ""];
    if (only !== undefined && words[at + 1] === forms.thousand) return thousands(words, only, at + 2);
    if (forms.isThousandAlone && words[at] === forms.thousand) return thousands(words, 1, at + 1);
    const head = below1000(words, at);
    if (head === undefined || head.value === 0 || words[head.end] !== forms.thousand) return head;
    return thousands(words, head.value, head.end + 1);
  }

  function thousands(words: readonly string[], count: number, at: number): Piece {
    const rest = below1000(words, at) ?? (words[at] === forms.afterThousand ? below1000(words, at + 1) : undefined);
    if (rest === undefined || rest.value === 0) return { value: count * 1000, end: at };
    return { value: count * 1000 + rest.value, end: rest.end };
  }

  function run(words: readonly string[], start: number): NumberRun | undefined {
    const word = words[start] ?? "";
    if (/^\d+$/.test(word)) return { start, end: start + 1, value: Number(word), digits: word };
    const times = forms.repetitions?.[word];
    if (times !== undefined) {
      const repeated = below1000(words, start + 1);
      if (repeated === undefined || repeated.value > 9) return undefined;
      const digits = String(repeated.value).repeat(times);
      return { start, end: repeated.end, value: Number(digits), digits };
    }
    const found = cardinal(words, start);
    return found && { start, end: found.end, value: found.value, digits: String(found.value) };
  }

  return (tokens) => {
    const { words, tokenOf } = splitAll(tokens.map(withoutAccents), forms.split);
    const runs: NumberRun[] = [];
    for (let at = 0; at < words.length;) {
      const found = run(words, at);
      if (found !== undefined) {
        const last = tokenOf[found.end - 1] ?? at;
        runs.push({ ...found, start: tokenOf[at] ?? at, end: last + 1 });
      }
      at = found?.end ?? at + 1;
    }
    return runs;
  };
}

function tableOf(spellings: NumeralForms["spellings"]): ReadonlyMap<string, number> {
  const table = new Map<string, number>();
  for (let value = 0; value < 1000; value++)
    for (const spelling of spellings(value)) table.set(withoutAccents(spelling), value);
  return table;
}

/** `longest`: of how many words a spelling consists at most. */
function withLongest(table: ReadonlyMap<string, number>) {
  return { table, longest: Math.max(...[...table.keys()].map((spelling) => spelling.split(" ").length)) };
}

/** Splits the tokens into words, and records which token each word comes from. */
function splitAll(tokens: readonly string[], split: NumeralForms["split"]) {
  if (split === undefined) return { words: tokens, tokenOf: tokens.map((_, index) => index) };
  const parts = tokens.map((token) =>
    split(token)
      .split(" ")
      .filter((part) => part !== ""),
  );
  return { words: parts.flat(), tokenOf: parts.flatMap((part, index) => part.map(() => index)) };
}

const plain = /^[a-z0-9' -]*$/;

/** Needed because recognisers write both "veintidos" and "veintidós". Most words have none, and looking for them takes 20 µs. */
function withoutAccents(text: string): string {
  if (plain.test(text)) return text;
  return text.normalize("NFD").replaceAll(/\p{M}/gu, "");
}

/** Above a thousand, as far as the language has names for it; figures beyond. */
export function countedWords(
  value: number,
  below1000: (value: number) => string,
  scales: readonly { readonly size: number; readonly name: (count: number, countWords: string) => string }[],
): string {
  let rest = value;
  const parts: string[] = [];
  for (const { size, name } of scales) {
    if (rest < size) continue;
    const count = Math.trunc(rest / size);
    parts.push(name(count, countedWords(count, below1000, scales)));
    rest %= size;
  }
  if (rest > 0 || parts.length === 0) parts.push(below1000(rest));
  return parts.join(" ");
}

/**
 * Cuts a model's stream into pieces worth synthesising: the first one short, so that the caller hears something soon,
 * later ones whole sentences, so that the voice keeps its melody. One pass, one character of work per character of text.
 */

/** Sentence ends that need no space after them: CJK, Devanagari, Arabic and Urdu, Ethiopic, Khmer, Burmese, Armenian. */
const immediateEnds = new Set("。！？｡．।॥؟۔።፧៕။՜՞։");
const spacedEnds = new Set(".!?…");
const clauseEnds = new Set(",;:،、，；：—");
/** Where a clause might end; most characters are none of these. */
const ends = new Set(["\n", ...immediateEnds, ...spacedEnds, ...clauseEnds]);
const closers = new Set("\"'”’)]»」』");

/** Never the end of a sentence, whatever follows. */
const titles = new Set([
  "mr",
  "mrs",
  "ms",
  "dr",
  "prof",
  "st",
  "vs",
  "e.g",
  "i.e",
  "no",
  "approx",
  "dept",
  "fig",
  "jr",
  "sr",
]);
/** The end of a sentence only before a capital letter. */
const mayEndSentence = new Set(["a.m", "p.m", "etc", "inc", "ltd", "co", "u.s", "u.k"]);

export interface ClauseLimits {
  /** The first piece may end at a comma once it is this long: about four words, 1.2 s of speech. */
  readonly firstClauseChars: number;
  /** Later pieces gather short sentences up to this length. */
  readonly gatherChars: number;
  /** A piece is cut at a space rather than grow past this. */
  readonly maxChars: number;
}

const defaultLimits: ClauseLimits = { firstClauseChars: 24, gatherChars: 40, maxChars: 240 };

export interface ClauseSplitter {
  /** Takes the next piece of the stream; returns the clauses that became complete. */
  push(delta: string): string[];
  /** The stream is over: what is left. */
  flush(): string | undefined;
}

export function createClauseSplitter(limits: ClauseLimits = defaultLimits): ClauseSplitter {
  let text = "";
  let scanned = 0;
  let lastSpace = -1;
  let isFirst = true;

  /** How long the clause is if it ends after `index`; 0 when it does not. Undefined: the next characters decide. */
  function endAfter(index: number): number | undefined {
    const character = text.charAt(index);
    if (!ends.has(character)) return 0;
    if (character === "\n") return index + 1;
    if (immediateEnds.has(character)) return skipClosers(index + 1);
    if (spacedEnds.has(character)) return sentenceEnd(index);
    if (isFirst && clauseEnds.has(character) && index + 1 >= limits.firstClauseChars) {
      if (index + 1 >= text.length) return undefined;
      return isSpace(text.charAt(index + 1)) || character > "\u00ff" ? index + 1 : 0;
    }
    return 0;
  }

  function sentenceEnd(index: number): number | undefined {
    const end = skipClosers(index + 1);
    if (end >= text.length) return undefined;
    if (!isSpace(text.charAt(end))) return 0; // a decimal, a URL, "?!", "..."
    if (text.charAt(index) !== ".") return end;
    const word = wordBefore(index);
    if (titles.has(word) || /^\p{L}$/u.test(word) || isListNumber(word, index)) return 0;
    if (!mayEndSentence.has(word)) return end;
    const next = text.slice(end).trimStart().charAt(0);
    if (next === "") return undefined;
    return next !== next.toLowerCase() ? end : 0;
  }

  function skipClosers(index: number): number {
    let end = index;
    while (closers.has(text.charAt(end)) && end < text.length) end++;
    return end;
  }

  function wordBefore(index: number): string {
    let start = index;
    while (start > 0 && !isSpace(text.charAt(start - 1))) start--;
    return text.slice(start, index).toLowerCase();
  }

  /** "1. First" at the start of a line. */
  function isListNumber(word: string, index: number): boolean {
    return /^\d{1,2}$/.test(word) && text.slice(0, index - word.length).trim() === "";
  }

  function take(length: number): string | undefined {
    const clause = text.slice(0, length).trim();
    text = text.slice(length);
    scanned = 0;
    lastSpace = -1;
    if (!/[\p{L}\p{N}]/u.test(clause)) return undefined; // punctuation alone is not spoken
    isFirst = false;
    return clause;
  }

  function next(): string | undefined {
    while (scanned < text.length) {
      const end = endAfter(scanned);
      if (end === undefined) return undefined;
      const isLongEnough = isFirst || end >= limits.gatherChars || text.charAt(scanned) === "\n";
      if (end > 0 && isLongEnough) {
        const clause = take(end);
        if (clause !== undefined) return clause;
        continue;
      }
      if (isSpace(text.charAt(scanned))) lastSpace = scanned;
      scanned++;
      if (scanned >= limits.maxChars) {
        const clause = take(lastSpace > 0 ? lastSpace : scanned);
        if (clause !== undefined) return clause;
      }
    }
    return undefined;
  }

  return {
    push(delta) {
      text += delta;
      const clauses: string[] = [];
      for (let clause = next(); clause !== undefined; clause = next()) clauses.push(clause);
      return clauses;
    },
    flush: () => take(text.length),
  };
}

function isSpace(character: string): boolean {
  return character === " " || character === "\n" || character === "\t" || character === "\r";
}

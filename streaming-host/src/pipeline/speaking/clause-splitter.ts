/**
 * Splits a model's stream into clauses for synthesis: the first one short, so that the caller hears something soon,
 * later ones whole sentences, so that the voice keeps its melody. One pass, constant work per character.
 */
import type { Abbreviations } from "@voice/shared/languages/language-pack";
import { hasWords } from "./speakable-text.ts";
import { isPhraseSpace, isUnspaced, lastBoundary, lettersOf } from "./unspaced-text.ts";

/** Sentence ends that need no space after them: CJK, Devanagari, Arabic and Urdu, Ethiopic, Khmer, Burmese, Armenian. */
const immediateEnds = new Set("。！？｡．।॥؟۔።፧៕။՜՞։");
const spacedEnds = new Set(".!?…");
const clauseEnds = new Set(",;:،、，；：—");
/** Characters at which a clause might end; most are none of these. */
const ends = new Set(["\n", " ", "\u3000", ...immediateEnds, ...spacedEnds, ...clauseEnds]);
const closers = new Set("\"'”’)]»」』");

/** Counted in letters. A Chinese or Japanese character takes as long to speak as three. */
export interface ClauseLimits {
  /** The first piece may end at a comma once it is this long: about four words, 1.2 s of speech. */
  readonly firstClauseChars: number;
  /** Later pieces combine short sentences up to this length. */
  readonly gatherChars: number;
  /** A longer piece is cut at a space. */
  readonly maxChars: number;
  /** The limit for the first piece in scripts without spaces, where nothing else may end it: about five seconds. */
  readonly maxUnspacedFirst: number;
}

const defaultLimits: ClauseLimits = { firstClauseChars: 24, gatherChars: 40, maxChars: 240, maxUnspacedFirst: 72 };
/** A single character with more combining marks than this is cut all the same. */
const longestCluster = 1000;

export class ClauseSplitter {
  readonly #limits: ClauseLimits;
  #abbreviations: Abbreviations;
  #text = "";
  #scanned = 0;
  #lastSpace = -1;
  /** For the scanned text: how long it takes to speak, and how much of it is written without spaces. */
  #letters = 0;
  #unspaced = 0;
  #isFirst = true;

  constructor(abbreviations: Abbreviations, limits: ClauseLimits = defaultLimits) {
    this.#abbreviations = abbreviations;
    this.#limits = limits;
  }

  /** The new speaker's language has other abbreviations. */
  useAbbreviations(abbreviations: Abbreviations): void {
    this.#abbreviations = abbreviations;
  }

  /** Takes the next piece of the stream; returns the clauses that it completes. */
  push(delta: string): string[] {
    this.#text += delta;
    const clauses: string[] = [];
    for (let clause = this.#next(); clause !== undefined; clause = this.#next()) clauses.push(clause);
    return clauses;
  }

  /** The stream has ended; returns the remaining text. */
  flush(): string | undefined {
    return this.#take(this.#text.length);
  }

  #next(): string | undefined {
    while (this.#scanned < this.#text.length) {
      const end = this.#endAfter(this.#scanned);
      if (end === undefined) return undefined;
      const character = this.#text.charAt(this.#scanned);
      const isLongEnough =
        this.#isFirst || this.#letters + end - this.#scanned >= this.#limits.gatherChars || character === "\n";
      if (end > 0 && isLongEnough) {
        const clause = this.#take(end);
        if (clause !== undefined) return clause;
        continue;
      }
      if (isSpace(character)) this.#lastSpace = this.#scanned;
      this.#scanned++;
      this.#letters += lettersOf(character);
      if (isUnspaced(character)) this.#unspaced++;
      const cut = this.#letters >= this.#longest ? this.#cut() : 0;
      if (cut > 0) {
        const clause = this.#take(cut);
        if (clause !== undefined) return clause;
      }
    }
    return undefined;
  }

  get #longest(): number {
    const isUnspacedText = this.#unspaced * 2 > this.#scanned;
    return this.#isFirst && isUnspacedText ? this.#limits.maxUnspacedFirst : this.#limits.maxChars;
  }

  /** Where to cut a piece that has no natural end. 0: not yet, because the cut would divide what the reader sees as one character. */
  #cut(): number {
    if (this.#lastSpace > 0) return this.#lastSpace;
    // Only tried for every eighth character, because each search reads the whole piece.
    if ((this.#scanned & 7) !== 0) return 0;
    const boundary = lastBoundary(this.#text.slice(0, this.#scanned));
    return boundary > 0 || this.#scanned < longestCluster ? boundary : this.#scanned;
  }

  #take(length: number): string | undefined {
    const clause = this.#text.slice(0, length).trim();
    this.#text = this.#text.slice(length);
    this.#scanned = 0;
    this.#lastSpace = -1;
    this.#letters = 0;
    this.#unspaced = 0;
    if (!hasWords(clause)) return undefined;
    this.#isFirst = false;
    return clause;
  }

  /** The length of the clause if it ends after `index`, or 0 if it does not. Undefined if the next characters decide. */
  #endAfter(index: number): number | undefined {
    const text = this.#text;
    const character = text.charAt(index);
    if (!ends.has(character)) return 0;
    if (character === "\n") return index + 1;
    if (immediateEnds.has(character)) return skipClosers(text, index + 1);
    if (spacedEnds.has(character)) return sentenceEnd(text, index, this.#abbreviations);
    const letters = this.#letters + 1;
    if (isPhraseSpace(text.charAt(index - 1), character)) {
      return letters >= (this.#isFirst ? this.#limits.firstClauseChars : this.#limits.gatherChars) ? index + 1 : 0;
    }
    if (this.#isFirst && clauseEnds.has(character) && letters >= this.#limits.firstClauseChars) {
      if (character > "\u00ff") return index + 1;
      if (index + 1 >= text.length) return undefined;
      return isSpace(text.charAt(index + 1)) ? index + 1 : 0;
    }
    return 0;
  }
}

/** The same for characters that end a sentence only before a space. */
function sentenceEnd(text: string, index: number, abbreviations: Abbreviations): number | undefined {
  const end = skipClosers(text, index + 1);
  if (end >= text.length) return undefined;
  if (!isSpace(text.charAt(end))) return 0; // a decimal, a URL, "?!", "..."
  if (text.charAt(index) !== ".") return end;
  const word = wordBefore(text, index);
  if (
    abbreviations.always.has(word) ||
    (abbreviations.hasOrdinals && /^\d{1,2}$/.test(word)) ||
    /^\p{L}$/u.test(word) ||
    isListNumber(text, word, index)
  )
    return 0;
  if (!abbreviations.beforeSmallLetters.has(word)) return end;
  const next = text.slice(end).trimStart().charAt(0);
  if (next === "") return undefined;
  return next !== next.toLowerCase() ? end : 0;
}

function skipClosers(text: string, index: number): number {
  let end = index;
  while (closers.has(text.charAt(end)) && end < text.length) end++;
  return end;
}

function wordBefore(text: string, index: number): string {
  let start = index;
  while (start > 0 && !isSpace(text.charAt(start - 1))) start--;
  return text.slice(start, index).toLowerCase();
}

/** "1. First" at the start of a line. */
function isListNumber(text: string, word: string, index: number): boolean {
  return /^\d{1,2}$/.test(word) && text.slice(0, index - word.length).trim() === "";
}

function isSpace(character: string): boolean {
  return character === " " || character === "\n" || character === "\t" || character === "\r";
}

/**
 * Cuts a sentence into the pieces of words that an encoder of sentences was trained with: of all ways to write it in pieces the most probable
 * one (a unigram model, as SentencePiece has it). Pure.
 */

/** How often each piece occurs, as the natural logarithm of its share; its place is its number. */
export type PieceList = readonly (readonly [piece: string, logarithm: number])[];

/** In place of the space before a word. */
const wordStart = "\u2581";
/** The first places of the list mean unknown characters and the ends of sentences, and are no text. */
const reserved = 6;
const unknown = 0;
/** Worse than every piece, so that a known one is preferred. */
const unknownLogarithm = -20;

interface Path {
  readonly logarithm: number;
  readonly piece: number;
  readonly start: number;
}

export class SentencePieces {
  readonly #pieces: ReadonlyMap<string, { readonly piece: number; readonly logarithm: number }>;
  readonly #longest: number;

  constructor(list: PieceList) {
    const texts = list.map(([text, logarithm], piece) => ({ text, piece, logarithm })).slice(reserved);
    this.#pieces = new Map(texts.map(({ text, ...found }) => [text, found]));
    this.#longest = Math.max(...texts.map(({ text }) => text.length));
  }

  /** The numbers of the pieces, in their order. */
  cut(sentence: string): readonly number[] {
    const text = wordStart + sentence.normalize("NFKC").replaceAll(" ", wordStart);
    const best: Path[] = [{ logarithm: 0, piece: unknown, start: 0 }];
    for (let end = 1; end <= text.length; end++) best.push(this.#bestPathTo(end, text, best));
    const pieces: number[] = [];
    for (let end = text.length; end > 0; end = best[end]?.start ?? 0) pieces.push(best[end]?.piece ?? unknown);
    return pieces.toReversed();
  }

  #bestPathTo(end: number, text: string, best: readonly Path[]): Path {
    const before = best[end - 1]?.logarithm ?? 0;
    let path: Path = { logarithm: before + unknownLogarithm, piece: unknown, start: end - 1 };
    for (let start = Math.max(0, end - this.#longest); start < end; start++) {
      const found = this.#pieces.get(text.slice(start, end));
      if (found === undefined) continue;
      const logarithm = (best[start]?.logarithm ?? 0) + found.logarithm;
      if (logarithm > path.logarithm) path = { logarithm, piece: found.piece, start };
    }
    return path;
  }
}

/** The tokens of Moonshine's texts: pieces of words, of which the first of a word begins with "▁". */
import llamaTokenizer from "llama-tokenizer-js";

/** With these a text begins and ends. */
export const startToken = 1;
export const endToken = 2;

const pieces = llamaTokenizer.vocabById;
export const tokenCount = pieces.length;
/** "<0xE2>": a byte of a character that has no token. */
const bytePiece = /^<0x([0-9A-F]{2})>$/;

export function textOf(tokens: readonly number[]): string {
  const bytes = tokens.map((token) => {
    const piece = pieces[token] ?? "";
    const byte = bytePiece.exec(piece)?.[1];
    return byte === undefined ? Buffer.from(piece.replaceAll("▁", " ")) : Buffer.from(byte, "hex");
  });
  return Buffer.concat(bytes).toString("utf8").trim();
}

/** A word takes 0.1 ms, and an agent has some hundreds in several spellings. */
const encoded = new Map<string, readonly number[]>();
const mostEncoded = 20_000;

/** Of one word after others; or of one that continues what was written before. */
export function tokensOf(word: string, { isJoined = false } = {}): readonly number[] {
  const key = `${isJoined ? "" : " "}${word}`;
  const known = encoded.get(key);
  if (known !== undefined) return known;
  if (encoded.size >= mostEncoded) encoded.clear();
  const tokens = llamaTokenizer.encode(word, false, !isJoined);
  encoded.set(key, tokens);
  return tokens;
}

/** A piece that is a token by itself. */
export function tokenOf(piece: string): number {
  const token = llamaTokenizer.vocabByString.get(piece);
  if (token === undefined) throw new Error(`"${piece}" is no token`);
  return token;
}

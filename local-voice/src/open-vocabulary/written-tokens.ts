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

/** Of one word after others. */
export function tokensOf(word: string): readonly number[] {
  return llamaTokenizer.encode(word, false);
}

/** A piece that is a token by itself. */
export function tokenOf(piece: string): number {
  const token = llamaTokenizer.vocabByString.get(piece);
  if (token === undefined) throw new Error(`"${piece}" is no token`);
  return token;
}

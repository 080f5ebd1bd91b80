/**
 * The pronunciation of English words: the dictionary of the engine's model, 135,000 lines of a word and its phones. A decoder with the
 * complete dictionary takes three times as long to load, and a grammar has only a few hundred words.
 */
import { readFile } from "node:fs/promises";

export interface Dictionary {
  /** In phones, the usual pronunciation first. Empty for an unknown word. 6 µs. */
  pronunciationsOf(word: string): readonly string[];
}

const lineFeed = 0x0a;
/** How many lines before its place a word is also searched for: one line of the model's file is two places too early. */
const outOfOrder = 3;

export async function readDictionary(file: string): Promise<Dictionary> {
  return dictionaryOf(await readFile(file));
}

/** `bytes`: comments, which begin with ";;", followed by lines sorted by word: "either IY DH ER", "either(2) AY DH ER". */
export function dictionaryOf(bytes: Buffer): Dictionary {
  const lineAt = (start: number): string => {
    const end = bytes.indexOf(lineFeed, start);
    return bytes.toString("latin1", start, end < 0 ? bytes.length : end);
  };
  let first = 0;
  for (let line = lineAt(0); line.startsWith(";;"); line = lineAt(first)) first += line.length + 1;
  /** The start of the line that contains this byte. */
  const beginningOf = (at: number): number => (at <= first ? first : bytes.lastIndexOf(lineFeed, at - 1) + 1);
  /** The start of the first line that does not sort before the word. */
  const placeOf = (word: string): number => {
    let low = first;
    let high = bytes.length;
    while (low < high) {
      const start = beginningOf(Math.floor((low + high) / 2));
      const line = lineAt(start);
      if (wordOf(line) < word) low = start + line.length + 1;
      else high = start;
    }
    return low;
  };
  return {
    pronunciationsOf(word) {
      let at = placeOf(word);
      for (let back = 0; back < outOfOrder; back++) at = beginningOf(at - 1);
      const found: string[] = [];
      for (let others = 0; at < bytes.length && others <= 2 * outOfOrder;) {
        const line = lineAt(at);
        if (wordOf(line) === word) found.push(line.slice(line.indexOf(" ") + 1).trim());
        else others++;
        at += line.length + 1;
      }
      return found;
    },
  };
}

/** The word of a line: "either" for "either(2) AY DH ER". */
function wordOf(line: string): string {
  const name = line.slice(0, Math.max(0, line.indexOf(" ")));
  return name.endsWith(")") && name.includes("(") ? name.slice(0, name.lastIndexOf("(")) : name;
}

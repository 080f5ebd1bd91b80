/** How much two recognisers agree about the words of one utterance. Pure. */
import { findNumbers } from "../spoken-english/read-numbers.ts";
import { stopWords } from "../rule-model/vocabulary.ts";
import { expanded, tokenise, toWord, withoutFillers, wordLikeness } from "../rule-model/compare-words.ts";
import type { Word } from "../rule-model/compare-words.ts";

export interface Likeness {
  /** 0 (nothing in common) to 1 (the same words). */
  readonly words: number;
  /** Whether both have the same numbers, however they are written. */
  readonly hasSameNumbers: boolean;
}

/** Of ten words, one or two differ: slips of one of the two, such as an article. */
export const same = 0.74;
/** Half of the words are the same: the grammar may have replaced what it does not know, such as a name. */
export const similar = 0.5;

export function likenessOf(left: string, right: string): Likeness {
  const a = readWords(left);
  const b = readWords(right);
  const most = Math.max(weightOf(a.words), weightOf(b.words));
  return {
    words: most === 0 ? 1 : 1 - distance(a.words, b.words) / most,
    hasSameNumbers: a.numbers === b.numbers,
  };
}

/** A number is one word, whatever it consists of: "four four one two" and "4412". */
function readWords(text: string) {
  const tokens = expanded(withoutFillers(tokenise(text)));
  const runs = findNumbers(tokens);
  const words: string[] = [];
  for (let at = 0; at < tokens.length;) {
    const run = runs.find(({ start }) => start === at);
    words.push(run === undefined ? (tokens[at] ?? "") : "#");
    at = run?.end ?? at + 1;
  }
  return {
    words: words.map(toSpoken),
    numbers: runs.map(({ amount, digits, isMoney }) => (isMoney ? amount : digits)).join(" "),
  };
}

interface Spoken extends Word {
  readonly weight: number;
}

/** "I lost my cat" is not nearly "I lost my card": what somebody wants is not in its articles and pronouns. */
const stopWordWeight = 0.25;

function toSpoken(text: string): Spoken {
  return { ...toWord(text), weight: stopWords.has(text) ? stopWordWeight : 1 };
}

function weightOf(words: readonly Spoken[]): number {
  return words.reduce((sum, { weight }) => sum + weight, 0);
}

/** The weight of the words to insert, to delete or to replace; a similar word is replaced in part. */
function distance(left: readonly Spoken[], right: readonly Spoken[]): number {
  let previous = [0];
  for (const { weight } of right) previous.push((previous.at(-1) ?? 0) + weight);
  for (const word of left) {
    const current = [(previous[0] ?? 0) + word.weight];
    for (const [column, other] of right.entries()) {
      const replacing = Math.max(word.weight, other.weight) * (1 - wordLikeness(word, other));
      current.push(
        Math.min(
          (previous[column] ?? 0) + replacing,
          (previous[column + 1] ?? 0) + word.weight,
          (current[column] ?? 0) + other.weight,
        ),
      );
    }
    previous = current;
  }
  return previous.at(-1) ?? 0;
}

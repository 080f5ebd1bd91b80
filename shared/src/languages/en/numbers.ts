/** English numbers: "one thousand two hundred thirty four", with or without "and". */
import { numberReader } from "../spoken-numbers.ts";
import type { SpokenNumbers } from "../spoken-numbers.ts";
import { zeros } from "./numerals.ts";
import { numberToWords } from "./values-to-words.ts";

function spellings(value: number): readonly string[] {
  const words = numberToWords(value);
  if (value === 0) return [...zeros, "o"];
  if (value < 100) return [words];
  const joined = words.replace(" hundred ", " hundred and ");
  return value < 200 ? [words, joined, words.replace("one", "a"), joined.replace("one", "a")] : [words, joined];
}

export const numbers: SpokenNumbers = {
  toWords: numberToWords,
  find: numberReader({
    spellings,
    thousand: "thousand",
    beforeThousand: { a: 1 },
    isThousandAlone: false,
    afterThousand: "and",
    repetitions: { double: 2, triple: 3 },
  }),
};

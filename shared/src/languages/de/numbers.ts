/** German numbers, one word below a million: "zweitausenddreihundertvierundfünfzig". */
import { countedWords, numberReader } from "../spoken-numbers.ts";
import type { SpokenNumbers } from "../spoken-numbers.ts";
import { words } from "../turn-words.ts";

const belowTwenty = words(
  "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn",
);
const tens = words("zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig");

function below1000(value: number): string {
  const hundreds = Math.trunc(value / 100);
  if (hundreds > 0) return `${inCompound(hundreds)}hundert${value % 100 === 0 ? "" : below1000(value % 100)}`;
  if (value < 20) return belowTwenty[value] ?? "";
  const ten = tens[Math.trunc(value / 10) - 2] ?? "";
  return value % 10 === 0 ? ten : `${inCompound(value % 10)}und${ten}`;
}

/** "ein" within a word, "eins" at its end. */
function inCompound(value: number): string {
  return below1000(value).replace(/eins$/, "ein");
}

function toWords(value: number): string {
  const whole = Math.trunc(value);
  if (whole < 0) return `minus ${toWords(-whole)}`;
  return countedWords(whole % 1_000_000_000_000, below1000, [
    { size: 1_000_000_000, name: (count, counted) => (count === 1 ? "eine Milliarde" : `${counted} Milliarden`) },
    { size: 1_000_000, name: (count, counted) => (count === 1 ? "eine Million" : `${counted} Millionen`) },
    { size: 1000, name: (count) => `${inCompound(count)}tausend` },
  ]).replace("tausend ", "tausend"); // the thousands are part of the word
}

function spellings(value: number): readonly string[] {
  const word = below1000(value);
  const sharp = word.replace("ß", "ss");
  const bare = value >= 100 && value < 200 ? [word.replace(/^ein/, ""), sharp.replace(/^ein/, "")] : [];
  const clear = value % 10 === 2 && value % 100 !== 12 ? [word.replace(/zwei(?!.*zwei)/, "zwo")] : []; // "zwo" cannot be taken for "drei"
  const before = value > 1 ? [word.replace(/eins$/, "ein")] : []; // "einhunderteintausend"; "ein" alone is an article
  return [...new Set([word, sharp, ...bare, ...clear, ...before])];
}

export const numbers: SpokenNumbers = {
  toWords,
  find: numberReader({
    spellings,
    thousand: "tausend",
    beforeThousand: { ein: 1 },
    isThousandAlone: true,
    afterThousand: "und",
    repetitions: { zweimal: 2, dreimal: 3 },
    split: (token) => token.replace(/tausend/, " tausend "),
  }),
};

/** How many digits of a code were said, in words ("double two", "forty four") or in figures. */
import { toWords } from "./spoken-words.ts";

const oneDigit = new Set("zero oh o one two three four five six seven eight nine".split(" "));
const teens = new Set("ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(" "));
const tens = new Set("twenty thirty forty fifty sixty seventy eighty ninety".split(" "));
const repetitions = new Map([
  ["double", 2],
  ["triple", 3],
]);

export function countDigits(text: string): number {
  let count = 0;
  let repeated = 1;
  let isAfterTens = false;
  for (const word of toWords(text)) {
    if (/^\d+$/.test(word)) count += word.length;
    else if (oneDigit.has(word)) count += isAfterTens && repeated === 1 ? 0 : repeated;
    else if (teens.has(word) || tens.has(word)) count += 2;
    isAfterTens = tens.has(word);
    repeated = repetitions.get(word) ?? 1;
  }
  return count;
}

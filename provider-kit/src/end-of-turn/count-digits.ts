/** How many digits of a code were said, in words ("double two", "forty four") or in figures. */
import type { SpokenNumbers } from "@voice/shared/languages/spoken-numbers";
import { toWords } from "./spoken-words.ts";

export function countDigits(text: string, numbers: SpokenNumbers): number {
  return numbers.find(toWords(text)).reduce((count, { digits }) => count + digits.length, 0);
}

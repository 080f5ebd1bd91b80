/** How many digits of a code were spoken, as words ("double two", "forty four") or as figures. */
import type { SpokenNumbers } from "@voice/shared/languages/spoken-numbers";
import { toWords } from "./to-words.ts";

export function countDigits(text: string, numbers: SpokenNumbers): number {
  return numbers.find(toWords(text)).reduce((count, { digits }) => count + digits.length, 0);
}

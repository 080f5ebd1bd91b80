/** Template filters that put values into English words: `{{ result.balance | money }}`. */
import type { TemplateFilters } from "@voice/shared/catalog/template";
import { dateToWords, digitsToWords, moneyToWords, numberToWords } from "@voice/shared/languages/en/values-to-words";

export const templateFilters: TemplateFilters = {
  money: (value) => moneyToWords(Number(value)),
  number: (value) => numberToWords(Number(value)),
  digits: (value) => digitsToWords(asText(value)),
  spoken_date: (value) => dateToWords(asText(value)),
};

function asText(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

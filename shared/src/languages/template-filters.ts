/**
 * LANG-8: template filters that put values into words, in the language of the agent that says them: `{{ result.balance
 * | money }}`.
 */
import type { TemplateFilters } from "../catalog/template.ts";
import { packOf } from "./packs.ts";

/** Languages name numbers up to here; greater ones are left as figures. */
const greatestInWords = 999_999_999_999;

export const templateFilters: TemplateFilters = {
  money: (value, language, currency) =>
    inWords(value, (amount) =>
      packOf(language).values.money(amount, typeof currency === "string" ? currency : undefined),
    ),
  number: (value, language) => inWords(value, (number) => packOf(language).numbers.toWords(number)),
  digits: (value, language) => packOf(language).values.digits(asText(value)),
  spoken_date: (value, language) => packOf(language).values.date(asText(value)),
};

/** A missing value stays empty, even as `null`, which JavaScript would convert to zero; text that is not a number stays unchanged. */
function inWords(value: unknown, say: (value: number) => string): string {
  const text = asText(value).trim();
  const number = text === "" ? Number.NaN : Number(text);
  return Math.abs(number) <= greatestInWords ? say(number) : text;
}

function asText(value: unknown): string {
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : "";
  return typeof value === "string" ? value : "";
}

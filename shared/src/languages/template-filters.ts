/**
 * LANG-8: template filters that put values into words, in the language of the agent that says them: `{{ result.balance
 * | money }}`.
 */
import type { TemplateFilters } from "../catalog/template.ts";
import { packOf } from "./packs.ts";

export const templateFilters: TemplateFilters = {
  money: (value, language, currency) =>
    packOf(language).values.money(Number(value), typeof currency === "string" ? currency : undefined),
  number: (value, language) => packOf(language).numbers.toWords(Number(value)),
  digits: (value, language) => packOf(language).values.digits(asText(value)),
  spoken_date: (value, language) => packOf(language).values.date(asText(value)),
};

function asText(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

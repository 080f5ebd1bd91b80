/** Where calls may go: countries and prefixes of numbers, or anywhere. */
import { z } from "zod";
import type { Kind } from "./kinds.ts";

export interface AllowedDestinations {
  readonly isAny: boolean;
  /** ISO 3166 codes, in capitals. */
  readonly countries: ReadonlySet<string>;
  /** Prefixes of numbers in E.164, with the plus. */
  readonly prefixes: readonly string[];
}

const regionNames = new Intl.DisplayNames("en", { type: "region", fallback: "none" });

/** The code by which the numbering plans know the country; undefined if there is no such country. */
function countryOf(text: string): string | undefined {
  if (!/^[A-Z]{2}$/.test(text) || regionNames.of(text) === undefined) return undefined;
  return new Intl.Locale(`und-${text}`).region; // GB for UK
}

export const destinationRules: Kind<AllowedDestinations> = {
  says: "countries (ISO 3166, `US`) and prefixes of phone numbers (`+4930`) separated by commas, or `any`",
  schema: z.string().transform((value, context) => {
    const countries = new Set<string>();
    const prefixes: string[] = [];
    let isAny = false;
    for (const part of value.split(",").map((one) => one.trim())) {
      const country = countryOf(part);
      if (part === "any") isAny = true;
      else if (/^\+[1-9]\d{0,14}$/.test(part)) prefixes.push(part);
      else if (country !== undefined) countries.add(country);
      else if (part !== "")
        context.addIssue({
          code: "custom",
          message: "must name countries by their two capital letters, prefixes with a plus such as +4930, or any",
        });
    }
    return { isAny, countries, prefixes };
  }),
};

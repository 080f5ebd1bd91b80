/** Languages and time zones in the catalog's files: what looks like one and is none would only be noticed by a caller. */
import { z } from "zod";
import { isTimeZone } from "../platform/local-day.ts";

export const noSuchLanguage = "there is no such language or region; en-US and de-CH are such";
export const noSuchTimeZone = "there is no such time zone; Europe/Berlin and UTC are such";

const form = /^[a-z]{2,3}(-[A-Z][a-z]{3})?(-(?:[A-Z]{2}|\d{3}))?$/;

export const knownLanguage = z
  .string()
  .regex(form, { error: "expected a language tag such as en-US", abort: true })
  .refine(isKnownLanguage, noSuchLanguage);

export const knownTimeZone = z.string().refine(isTimeZone, noSuchTimeZone);

/** By the platform's own names: `xx` and `de-XX` have none. */
export function isKnownLanguage(tag: string): boolean {
  const locale = localeOf(tag);
  if (locale === undefined) return false;
  const { language, region } = locale;
  const languages = new Intl.DisplayNames("en", { type: "language", fallback: "none" });
  const regions = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
  return languages.of(language) !== undefined && (region === undefined || regions.of(region) !== undefined);
}

/** Undefined for what only looks like a tag, such as `de-12`. */
function localeOf(tag: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(tag);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

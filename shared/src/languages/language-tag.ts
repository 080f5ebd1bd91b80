/** Checks whether a language tag names a language that exists: otherwise only a caller would notice that it does not. */
export const noSuchLanguage = "there is no such language or region; en-US and de-CH are such";

/** A tag is known if the platform has a name for it; it has none for `xx` and `de-XX`. */
export function isKnownLanguage(tag: string): boolean {
  const locale = parseLocale(tag);
  if (locale === undefined) return false;
  const { language, region } = locale;
  const languages = new Intl.DisplayNames("en", { type: "language", fallback: "none" });
  const regions = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
  return languages.of(language) !== undefined && (region === undefined || regions.of(region) !== undefined);
}

/** Undefined for text that only looks like a tag, such as `de-12`. */
export function parseLocale(tag: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(tag);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

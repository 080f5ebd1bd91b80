/**
 * The locale of a language tag: recognisers and voices know languages by language and region (`zh-CN`), browsers and people name
 * them in other ways as well (`zh-Hans`, `pt`, `es-419`), and a service refuses a tag that it does not list.
 */
import { parseLocale } from "./language-tag.ts";
import { hasPack, packOf } from "./packs.ts";

/** Spanish of Latin America, of which most speakers are Mexicans, and Cantonese, which services list as Chinese of Hong Kong. */
const others: Readonly<Record<string, string>> = { "es-419": "es-MX", yue: "zh-HK", "yue-HK": "zh-HK" };

/** `de` → `de-DE`, `zh-Hant` → `zh-TW`. A tag that has a region, or is of no known language, is returned as it is. */
export function localeOf(tag: string): string {
  const other = others[tag];
  if (other !== undefined) return other;
  const named = parseLocale(tag);
  if (named === undefined) return tag;
  const { language, script, region } = named;
  const isChinese = language === "zh";
  if (region !== undefined && /^[A-Z]{2}$/.test(region))
    return isChinese && script !== undefined ? `zh-${region}` : tag;
  if (script === undefined && hasPack(language)) return packOf(language).locale;
  const bare = new Intl.Locale(language === "no" ? "nb" : language);
  const likely = (script === undefined ? bare : new Intl.Locale(bare, { script })).maximize();
  if (likely.region === undefined) return tag;
  // Chinese is written as its region writes it; for others, a script that was named is part of the locale.
  return [likely.language, isChinese ? undefined : script, likely.region]
    .filter((part) => part !== undefined)
    .join("-");
}

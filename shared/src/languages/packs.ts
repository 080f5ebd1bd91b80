/** The languages that the service speaks, and which of them a tag means. */
import { german } from "./de/pack.ts";
import { english } from "./en/pack.ts";
import { spanish } from "./es/pack.ts";
import { french } from "./fr/pack.ts";
import type { LanguagePack } from "./language-pack.ts";

export const languagePacks: readonly LanguagePack[] = [english, german, french, spanish];

const byCode = new Map(languagePacks.map((pack) => [pack.code, pack]));

/** Any region's form of a language; English where there is no pack. */
export function packOf(language: string | undefined): LanguagePack {
  return byCode.get(primaryLanguage(language ?? "")) ?? english;
}

export function hasPack(language: string): boolean {
  return byCode.has(primaryLanguage(language));
}

/** `de` of `de-AT`. */
export function primaryLanguage(language: string): string {
  return language.split("-", 1)[0]?.toLowerCase() ?? "";
}

/** `de` → `de-DE`: recognisers and voices want a region. */
export function localeOf(language: string): string {
  return language.includes("-") || !hasPack(language) ? language : packOf(language).locale;
}

/** The cloud's voice of a locale, or of its language; undefined where there is no pack. */
export function cloudVoiceOf(language: string): string | undefined {
  if (!hasPack(language)) return undefined;
  const { voices } = packOf(language);
  return (voices.find(({ locale }) => locale === language) ?? voices[0]).voice;
}

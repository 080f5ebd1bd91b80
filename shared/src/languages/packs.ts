/** The languages that the service speaks, and the choice among them by language tag. */
import { german } from "./de/pack.ts";
import { english } from "./en/pack.ts";
import { spanish } from "./es/pack.ts";
import { french } from "./fr/pack.ts";
import type { LanguagePack } from "./language-pack.ts";
import { packWithout } from "./without-pack/pack-without.ts";

export const languagePacks: readonly LanguagePack[] = [english, german, french, spanish];

const byCode = new Map(languagePacks.map((pack) => [pack.code, pack]));
/** Filled when such a pack is first requested. */
const withoutPack = new Map<string, LanguagePack>();

/** The pack for a language tag with any region. Where there is none, the service speaks English and knows the shortest answers only. */
export function packOf(language: string | undefined): LanguagePack {
  const code = primaryLanguage(language ?? "");
  const known = byCode.get(code) ?? withoutPack.get(code);
  if (known !== undefined) return known;
  if (!/^[a-z]{2,3}$/.test(code)) return english;
  const made = packWithout(code);
  withoutPack.set(code, made);
  return made;
}

export function hasPack(language: string): boolean {
  return byCode.has(primaryLanguage(language));
}

/** `de-AT` → `de`. */
export function primaryLanguage(language: string): string {
  const end = language.indexOf("-");
  return (end < 0 ? language : language.slice(0, end)).toLowerCase();
}

/** The cloud's voice for a locale, or for its language; undefined if there is no pack. */
export function cloudVoiceOf(language: string): string | undefined {
  if (!hasPack(language)) return undefined;
  const { voices } = packOf(language);
  return (voices.find(({ locale }) => locale === language) ?? voices[0]).voice;
}

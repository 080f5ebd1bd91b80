/** LANG-7: lists the languages that are not fully supported, so that an operator learns of it before a caller notices. Pure. */
import type { Parts } from "../config/parts.ts";
import type { Settings } from "../config/settings.ts";
import { hasPack, primaryLanguage } from "../languages/packs.ts";
import type { Catalog } from "./catalog.ts";

export interface LanguageFallbacks {
  /** The service's own sentences and numbers are English in these languages, and few of the caller's words are known. */
  readonly withoutPack: readonly string[];
  /** This machine's recogniser takes these for English. */
  readonly heardAsEnglish: readonly string[];
  /** This machine's voice reads these as English. */
  readonly spokenAsEnglish: readonly string[];
}

/** Undefined if every language is fully supported. */
export function languageFallbacks(
  catalog: Catalog,
  settings: Pick<Settings, "sttLanguage" | "telephonyLanguages">,
  parts: Pick<Parts, "recognition" | "synthesis">,
): LanguageFallbacks | undefined {
  const languages = [...languagesOf(catalog, settings)].toSorted();
  const foreign = languages.filter((language) => primaryLanguage(language) !== "en");
  const fallbacks = {
    withoutPack: languages.filter((language) => !hasPack(language)),
    heardAsEnglish: parts.recognition.kind === "local" ? foreign : [],
    spokenAsEnglish: parts.synthesis.kind === "local" ? foreign : [],
  };
  return Object.values(fallbacks).every(({ length }) => length === 0) ? undefined : fallbacks;
}

function languagesOf(
  { agents, scenarios }: Catalog,
  { sttLanguage, telephonyLanguages }: Pick<Settings, "sttLanguage" | "telephonyLanguages">,
): ReadonlySet<string> {
  return new Set([
    sttLanguage,
    ...telephonyLanguages,
    ...[...agents.values()].flatMap(({ speech }) => [speech.language ?? [], speech.candidateLanguages].flat()),
    ...[...scenarios.values()].flatMap(({ language, languages = [] }) => [language ?? [], languages].flat()),
  ]);
}

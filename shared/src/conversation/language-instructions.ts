/** Tells a model in which language it is to answer, whatever language its prompt is written in. */
import { primaryLanguage } from "../languages/packs.ts";

let names: Intl.DisplayNames | undefined;

/** Empty for English, in which prompts are answered unless they say otherwise, and where no language is known. */
export function languageInstructions(language: string | undefined): string {
  const name = languageName(language);
  if (name === undefined) return "";
  return `## Language\nSpeak ${name} with the caller, also where these instructions or the results of tools are in another language.`;
}

/** As models are told it; undefined for English, which they speak unasked, and where no language is known. */
export function languageName(language: string | undefined): string | undefined {
  if (language === undefined || primaryLanguage(language) === "en") return undefined;
  names ??= new Intl.DisplayNames("en", { type: "language" });
  return names.of(language) ?? language;
}

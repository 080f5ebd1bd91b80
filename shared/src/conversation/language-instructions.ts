/** Tells a model in which language it is to answer, whatever language its prompt is written in. */
import { primaryLanguage } from "../languages/packs.ts";

let names: Intl.DisplayNames | undefined;

/** Empty for English, in which prompts are answered unless they say otherwise, and where no language is known. */
export function languageInstructions(language: string | undefined): string {
  if (language === undefined || primaryLanguage(language) === "en") return "";
  names ??= new Intl.DisplayNames("en", { type: "language" });
  const name = names.of(language) ?? language;
  return `## Language\nSpeak ${name} with the caller, also where these instructions or the results of tools are in another language.`;
}

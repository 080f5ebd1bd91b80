/** Instructs a model in which language to respond, whatever the language of its prompt. */
import { primaryLanguage } from "../languages/packs.ts";

let names: Intl.DisplayNames | undefined;

/**
 * Empty for English, in which models respond by default, and if no language is known. `languages`: those in which the agent follows the
 * caller, who may have changed to English from another one.
 */
export function languageInstructions(language: string | undefined, languages: readonly string[] = []): string {
  if (language !== undefined && languages.length > 1) {
    const all = languages.map(nameOf).join(", ");
    return `## Language\nThe caller may speak ${all}. Answer in the language of their last words, which is ${nameOf(language)} now, also where these instructions, the results of tools or earlier answers are in another one.`;
  }
  const name = languageName(language);
  if (name === undefined) return "";
  return `## Language\nSpeak ${name} with the caller, also where these instructions or the results of tools are in another language.`;
}

/** In the form used in instructions to a model; undefined for English, which models use by default, and if no language is known. */
export function languageName(language: string | undefined): string | undefined {
  if (language === undefined || primaryLanguage(language) === "en") return undefined;
  return nameOf(language);
}

function nameOf(language: string): string {
  names ??= new Intl.DisplayNames("en", { type: "language" });
  return names.of(language) ?? language;
}

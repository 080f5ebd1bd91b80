/** The language that a scenario's callers speak, and the voice that speaks it. */
import { findScenario } from "@voice/shared/catalog/catalog";
import type { Catalog } from "@voice/shared/catalog/catalog";
import type { Settings } from "@voice/shared/config/settings";
import { localeOf } from "@voice/shared/languages/locale-of";
import { primaryLanguage } from "@voice/shared/languages/packs";
import { usualStyle } from "../dialogues/speaking-style.ts";
import type { SpeakingStyle } from "../dialogues/speaking-style.ts";

/** LANG-4, for the agent that answers the call. */
export function callersLanguage(
  catalog: Catalog,
  scenarioName: string,
  settings: Pick<Settings, "sttLanguage">,
): string {
  const scenario = findScenario(catalog, scenarioName);
  const agent = catalog.agents.get((scenario?.startAgent ?? "").toLowerCase());
  return localeOf(agent?.speech.language ?? scenario?.language ?? settings.sttLanguage);
}

export function isEnglish(language: string): boolean {
  return primaryLanguage(language) === "en";
}

/** Voices of the cloud that no agent has by default. Other servers have voices that sound alike. */
const voices: Readonly<Record<string, string>> = {
  de: "de-DE-ConradNeural",
  es: "es-ES-AlvaroNeural",
  fr: "fr-FR-HenriNeural",
};

export function callersStyle(language: string, { ttsVoice }: Pick<Settings, "ttsVoice">): SpeakingStyle {
  if (isEnglish(language)) return usualStyle();
  return { name: language, voice: voices[primaryLanguage(language)] ?? ttsVoice, language };
}

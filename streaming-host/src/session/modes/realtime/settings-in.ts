/** The settings of turns in the language that is being spoken. */
import type { LanguagePack } from "@voice/shared/languages/language-pack";
import { languageSettings } from "../../turn/language-settings.ts";
import type { TurnSettings } from "../../turn/turn-settings.ts";

/** Asked for at every event, and the same until an agent with another language has the floor. */
export function settingsIn(spoken: () => LanguagePack, settings: Omit<TurnSettings, "language">): () => TurnSettings {
  let made: { readonly of: LanguagePack; readonly settings: TurnSettings } | undefined;
  return () => {
    const pack = spoken();
    if (made?.of !== pack) made = { of: pack, settings: { ...settings, language: languageSettings(pack).language } };
    return made.settings;
  };
}

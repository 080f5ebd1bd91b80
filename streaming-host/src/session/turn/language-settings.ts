/** The language data that the turn machine uses. Settings are created for each question of an agent; this is created once. */
import { createEndOfTurnEstimator } from "@voice/provider-kit/end-of-turn/estimate-end-of-turn";
import type { LanguagePack } from "@voice/shared/languages/language-pack";
import { turnLanguage } from "./text-kind.ts";
import type { TurnSettings } from "./turn-settings.ts";

export type LanguageSettings = Pick<TurnSettings, "estimator" | "language">;

const known = new WeakMap<LanguagePack, LanguageSettings>();

export function languageSettings(pack: LanguagePack): LanguageSettings {
  const made = known.get(pack) ?? { estimator: createEndOfTurnEstimator(pack), language: turnLanguage(pack) };
  known.set(pack, made);
  return made;
}

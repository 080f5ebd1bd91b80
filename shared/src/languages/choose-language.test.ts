import { expect, it } from "vitest";
import { chooseLanguage } from "./choose-language.ts";

it.each([
  ["de-AT", "de-AT"],
  ["DE-at", "de-AT"],
  ["de-CH", "de-DE"],
  ["de", "de-DE"],
  ["d-DE", undefined],
  ["fr-FR", undefined],
])("[HOOK-12b] for %s it is %s: the same, or another region's, or none", (asked, chosen) => {
  expect(chooseLanguage(asked, ["da-DK", "de-DE", "de-AT"])).toBe(chosen);
});

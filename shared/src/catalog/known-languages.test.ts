import { expect, it } from "vitest";
import { knownLanguage, knownTimeZone } from "./known-languages.ts";

it.each(["de", "de-CH", "en-US", "zh-Hans-CN", "it-IT", "es-419"])("[LANG-9] knows %s", (tag) => {
  expect(knownLanguage.safeParse(tag).success).toBe(true);
});

it.each([
  ["german", "tag"],
  ["de_DE", "tag"],
  ["qq-DE", "no such language"],
  ["de-QX", "no such language or region"],
])("[LANG-9] says that %s is none", (tag, message) => {
  expect(knownLanguage.safeParse(tag).error?.message).toContain(message);
});

it("[LANG-9] knows the platform's time zones", () => {
  expect(knownTimeZone.safeParse("Europe/Zurich").success).toBe(true);
  expect(knownTimeZone.safeParse("Europe/Bern").success).toBe(false);
});

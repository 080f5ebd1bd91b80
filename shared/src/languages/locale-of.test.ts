import { expect, it } from "vitest";
import { localeOf } from "./locale-of.ts";

it.each([
  ["de", "de-DE"],
  ["es", "es-ES"],
  ["pt", "pt-BR"],
  ["it", "it-IT"],
  ["he", "he-IL"],
  ["no", "nb-NO"],
  ["zh", "zh-CN"],
  ["zh-Hans", "zh-CN"],
  ["zh-Hant", "zh-TW"],
  ["zh-Hans-CN", "zh-CN"],
  ["zh-Hant-HK", "zh-HK"],
  ["yue", "zh-HK"],
  ["sr-Latn", "sr-Latn-RS"],
  ["es-419", "es-MX"],
  ["en-001", "en-US"],
])("[LANG-2b] %s is heard as %s, which recognisers list", (tag, locale) => {
  expect(localeOf(tag)).toBe(locale);
});

it.each(["de-AT", "pt-PT", "zh-CN-sichuan", "sr-Latn-RS", "iu-Cans-CA", "xx", "no_such"])(
  "[LANG-2b] %s is left as it is",
  (tag) => {
    expect(localeOf(tag)).toBe(tag);
  },
);

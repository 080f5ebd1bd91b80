import { describe, expect, it } from "vitest";
import { describeLanguagePack } from "./language-pack.contract.ts";
import { cloudVoiceOf, hasPack, languagePacks, packOf } from "./packs.ts";

const english = packOf("en");

describe.each(languagePacks.map((pack) => [pack.code, pack] as const))("[LANG-1] the language %s", (_code, pack) => {
  describeLanguagePack(pack, english);
});

describe("a language tag", () => {
  it("[LANG-2a] means the pack of its language, in any region", () => {
    expect([packOf("de-AT").code, packOf("fr").code, packOf("es-MX").code]).toEqual(["de", "fr", "es"]);
  });

  it("[LANG-2c] means English where there is no pack", () => {
    expect(hasPack("it-IT")).toBe(false);
    expect(packOf("it-IT").sentences).toBe(english.sentences);
    expect(packOf(undefined)).toBe(english);
    expect(cloudVoiceOf("it-IT")).toBeUndefined();
  });

  it("[LANG-2a] gets the voice of its own region", () => {
    expect(cloudVoiceOf("de-AT")).toBe("de-AT-IngridNeural");
    expect(cloudVoiceOf("de-LI")).toBe(cloudVoiceOf("de-DE"));
  });
});

describe("[LANG-1] values as people say them", () => {
  it.each([
    ["de", 1, "ein Euro"],
    ["de", 101.01, "einhundertein Euro und ein Cent"],
    ["de", 1234.5, "eintausendzweihundertvierunddreißig Euro und fünfzig Cent"],
    ["fr", 71.8, "soixante et onze euros et quatre-vingts centimes"],
    ["fr", 80_000, "quatre-vingt mille euros"],
    ["fr", 2_000_000, "deux millions d'euros"],
    ["es", 21, "veintiún euros"],
    ["es", 101_000.5, "ciento un mil euros con cincuenta céntimos"],
    ["es", 1_000_000, "un millón de euros"],
    ["en", 1.01, "one dollar and one cent"],
  ])("in %s %d is %j", (language, amount, words) => {
    expect(packOf(language).values.money(amount)).toBe(words);
  });

  it.each([
    ["en", "March first"],
    ["de", "1. März"],
    ["fr", "1er mars"],
    ["es", "1 de marzo"],
  ])("in %s a day is %j", (language, words) => {
    expect(packOf(language).values.date("2026-03-01")).toBe(words);
  });

  it.each([
    ["en", "double two five seven", "2257"],
    ["en", "one thousand and one", "1001"],
    ["en", "a hundred and five", "105"],
    ["de", "zwo vier sieben", "247"],
    ["de", "vierundvierzig zwölf", "4412"],
    ["de", "tausendzweihundert", "1200"],
    ["de", "hundertfuenf hundertfünf", "105"],
    ["fr", "septante et un", "71"],
    ["fr", "quatre vingt dix neuf", "99"],
    ["es", "veintidos", "22"],
    ["es", "doscientas treinta y una", "231"],
    ["es", "doble cinco", "55"],
  ])("in %s %j are the digits %s", (language, said, digits) => {
    const runs = packOf(language).numbers.find(said.split(" "));
    expect(runs.map((run) => run.digits).join("")).toBe(digits);
  });
});

import { describe, expect, it } from "vitest";
import { CallerLanguage } from "./caller-language.ts";

/** Of a caller who may speak English, German or French, and of whose words nothing but the recogniser tells the language. */
function caller(languages: readonly string[] = ["en-US", "de-DE", "fr-FR"], current = "en-US") {
  const language = new CallerLanguage(
    () => languages,
    () => current,
    () => undefined,
  );
  return (text: string, heardIn?: string) =>
    language.hear({ text, ...(heardIn !== undefined && { language: heardIn, isIdentified: true }) });
}

describe("[LANG-12] the caller's language", () => {
  it("is another one after three words of it", () => {
    expect(caller()("Wo ist meine Bestellung?", "de-DE")).toBe("de-DE");
  });

  it("stays after fewer words, until the next are of the same language", () => {
    const hear = caller();
    expect(hear("Ja, bitte.", "de-DE")).toBeUndefined();
    expect(hear("Genau.", "de-DE")).toBe("de-DE");
  });

  it("stays where few words of another language stand between those of the first", () => {
    const hear = caller();
    expect(hear("Bonjour.", "fr-FR")).toBeUndefined();
    expect(hear("Yes please.", "en-US")).toBeUndefined();
    expect(hear("Merci.", "fr-FR")).toBeUndefined();
  });

  it("stays for numbers, for another region of the same language and for a language that the scenario does not have", () => {
    const hear = caller();
    expect([hear("4 4 1 2", "de-DE"), hear("4 4 1 2", "de-DE")]).toEqual([undefined, undefined]);
    expect(hear("Where is my order?", "en-GB")).toBeUndefined();
    expect(hear("¿Dónde está mi pedido?", "es-ES")).toBeUndefined();
  });

  it("is found by its words where the recogniser only repeats what it was told, and counts words without spaces", () => {
    const language = new CallerLanguage(
      () => ["en-US", "ja-JP"],
      () => "en-US",
      (text) => (/[a-z]/.test(text) ? "en-US" : "ja-JP"),
    );
    expect(language.hear({ text: "私の注文はどこですか", language: "en-US" })).toBe("ja-JP");
  });
});

it("[LANG-11] an agent with a language of its own, and a scenario with one, stay in it", () => {
  expect(caller([])("Wo ist meine Bestellung?", "de-DE")).toBeUndefined();
  expect(caller(["en-US"])("Wo ist meine Bestellung?", "de-DE")).toBeUndefined();
});

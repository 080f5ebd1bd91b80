import { beforeAll, expect, it } from "vitest";
import { identifyLanguage, loadLanguages } from "./identify-language.ts";

const languages = ["en-US", "de-DE", "fr-FR", "es-ES"];

beforeAll(() => loadLanguages());

it.each([
  ["en-US", ["where is my order", "can I speak to somebody", "yes please", "my name is Peter Schmidt"]],
  ["de-DE", ["wo ist meine Bestellung", "kann ich mit jemandem sprechen", "ja bitte", "mein Name ist John Smith"]],
  ["fr-FR", ["où est ma commande", "puis-je parler à quelqu'un", "non merci", "combien ça coûte"]],
  ["es-ES", ["dónde está mi pedido", "puedo hablar con alguien", "no gracias", "cuánto cuesta"]],
])("[LANG-13] what is said in %s is found among four languages", (language, texts) => {
  for (const text of texts) expect([text, identifyLanguage(text, languages)]).toEqual([text, language]);
});

it("[LANG-13] numbers and sounds are in no language", () => {
  expect(["4412", "hm", ""].map((text) => identifyLanguage(text, languages))).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

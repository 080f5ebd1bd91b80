import { describe, expect, it } from "vitest";
import { loadSettings, type Environment } from "../config/load.ts";
import { partsOf } from "../config/parts.ts";
import { languageFallbacks } from "./language-fallbacks.ts";
import { parseCatalog } from "./parse-catalog.ts";

const model = "model: {cascade: {deployment_id: m}, realtime: {deployment_id: m}}";
function catalogOf(language: string, ofScenario: string) {
  const files = new Map([
    ["agents/one/agent.yaml", `description: one\nvoice: {name: v}\n${model}\nspeech: {language: ${language}}`],
    ["agents/one/prompt.md", "Speak."],
    ["scenarios/s.yaml", `description: s\nagents: [one]\nstart_agent: one\nlanguage: ${ofScenario}`],
  ]);
  return parseCatalog([files], { tools: new Map(), mcpServers: [] });
}

function fallbacks(environment: Environment, language: string, ofScenario: string) {
  const settings = loadSettings(environment);
  return languageFallbacks(catalogOf(language, ofScenario), settings, partsOf(settings));
}

describe("[LANG-7] what falls back to English", () => {
  const cloud = { CLOUD_SPEECH_REGION: "westeurope", CLOUD_SPEECH_KEY: "k" };

  it("names each language without a language pack once, however many agents use it", () => {
    expect(fallbacks({ ...cloud, TELEPHONY_LANGUAGES: "pt-BR,de-DE" }, "it-IT", "nl-NL")).toEqual({
      withoutPack: ["it-IT", "nl-NL", "pt-BR"],
      heardAsEnglish: [],
      spokenAsEnglish: [],
    });
  });

  it("is every language but English if recognition and synthesis run on this machine", () => {
    expect(fallbacks({}, "de-DE", "en-GB")).toEqual({
      withoutPack: [],
      heardAsEnglish: ["de-DE"],
      spokenAsEnglish: ["de-DE"],
    });
  });

  it("is empty if every language has a language pack", () => {
    expect(fallbacks({ ...cloud, STT_LANGUAGE: "fr-FR" }, "de-DE", "es-MX")).toBeUndefined();
    expect(fallbacks({}, "en-US", "en-GB")).toBeUndefined();
  });
});

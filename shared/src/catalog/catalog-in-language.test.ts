import { describe, expect, it } from "vitest";
import { memoryOfLanguage, memoryOfTimeZone } from "../conversation/spoken-language.ts";
import type { Agent } from "./agent.ts";
import { catalogInLanguage } from "./catalog-in-language.ts";
import { compileSessionCatalog } from "./compile-session-catalog.ts";
import { parseCatalog } from "./parse-catalog.ts";

const defaults = { language: "en-US", timeZone: "UTC", voice: "en-US-AvaMultilingualNeural" };
const voice = `voice: {name: ${defaults.voice}}`;
const model = "model: {cascade: {deployment_id: m}, realtime: {deployment_id: m}}";
const agent = (more: string): string => `description: an agent\n${voice}\n${model}\n${more}`;

function compiled(ofScenario = "") {
  const files = new Map([
    ["agents/any/agent.yaml", agent("greeting: Hello")],
    ["agents/any/prompt.md", "Speak {{ language }} in {{ time_zone }}."],
    ["agents/german/agent.yaml", agent("speech: {language: de, candidate_languages: [en, pt]}")],
    ["agents/german/prompt.md", "Sei freundlich."],
    ["scenarios/both.yaml", `description: both\nagents: [any, german]\nstart_agent: any\n${ofScenario}`],
  ]);
  const catalog = parseCatalog([files], { tools: new Map(), mcpServers: [] });
  return compileSessionCatalog(catalog, { scenario: "both" });
}

const spoken = (found: Agent | undefined) => [found?.speech.language, found?.voice.name];

describe("[LANG-4a] what an agent speaks", () => {
  it("is its own language before all others, with a region", () => {
    const memory = memoryOfLanguage("fr-FR", {});
    const catalog = catalogInLanguage(compiled("language: es-ES"), memory, defaults);
    expect(spoken(catalog.agent("german"))).toEqual(["de-DE", "de-DE-SeraphinaMultilingualNeural"]);
    expect(catalog.agent("german")?.speech.candidateLanguages).toEqual(["en-US", "pt-BR"]);
  });

  it.each([
    ["the session's", memoryOfLanguage("fr-CA", {}), "language: es-ES", ["fr-CA", "fr-CA-SylvieNeural"]],
    ["the browser's", memoryOfLanguage("zh-Hans", {}), "language: es-ES", ["zh-CN", defaults.voice]],
    ["the scenario's", {}, "language: es-MX", ["es-MX", "es-MX-DaliaMultilingualNeural"]],
    ["the setting's", {}, "", ["en-US", defaults.voice]],
  ])("is %s where it names none", (_whose, memory, ofScenario, expected) => {
    const catalog = catalogInLanguage(compiled(ofScenario), memory, defaults);
    expect(spoken(catalog.agent("any"))).toEqual(expected);
  });

  it.each([
    ["languages: [en-US, de-DE]", "en-US"],
    ["languages: [fr-FR, de-DE]", "fr-FR"],
    ["languages: [fr-FR, de-DE]\nlanguage: de-DE", "de-DE"],
  ])("[LANG-14] begins in the setting's, the scenario's or the first of several: %s", (ofScenario, language) => {
    const catalog = catalogInLanguage(compiled(ofScenario), {}, defaults);
    const any = catalog.agent("any");
    expect(any?.speech.language).toBe(language);
    expect(any?.speech.candidateLanguages).toEqual(catalog.scenario.languages);
    // Its own language is all that it speaks.
    expect(catalog.agent("german")?.speech.candidateLanguages).toEqual(["en-US", "pt-BR"]);
    const prompt = any === undefined ? "" : catalog.renderPrompt(any, { memory: {}, timeZone: "UTC" });
    expect(prompt).toContain("Answer in the language of their last words");
    expect(() => compiled("languages: [fr-FR, de-DE]\nlanguage: en-US")).toThrow("is not one of `languages`");
  });

  it("is the same agent each time", () => {
    const catalog = catalogInLanguage(compiled(), {}, defaults);
    expect(catalog.agent("ANY")).toBe(catalog.agent("any"));
    expect(catalog.agent("nobody")).toBeUndefined();
  });
});

describe("[LANG-6] where the caller is", () => {
  it.each([
    ["the session says", memoryOfTimeZone("Asia/Tokyo"), "time_zone: Europe/Berlin", "Asia/Tokyo"],
    ["the scenario says", {}, "time_zone: Europe/Berlin", "Europe/Berlin"],
    ["the setting says", {}, "", "UTC"],
  ])("is as %s", (_who, memory, ofScenario, zone) => {
    const catalog = catalogInLanguage(compiled(ofScenario), memory, defaults);
    expect(catalog.timeZone).toBe(zone);
  });

  it("and what is spoken there is known to templates", () => {
    const catalog = catalogInLanguage(compiled(), memoryOfTimeZone("Europe/Vienna"), defaults);
    const any = catalog.agent("any");
    expect(any && catalog.renderPrompt(any, { memory: {}, timeZone: catalog.timeZone })).toContain(
      "Speak en-US in Europe/Vienna.",
    );
  });
});

/** LANG-11 in both modes: the conversation goes on in the language that the caller speaks. */
import type { SessionCatalog } from "@voice/shared/catalog/session-catalog";
import { languageIn } from "@voice/shared/conversation/spoken-language";
import { beforeAll, describe, expect, it } from "vitest";
import { loadLanguages } from "../../pipeline/listening/identify-language.ts";
import { bothModes, startInMode } from "../../testing/both-modes-rig.ts";
import { fakeAgent, fakeCatalog } from "../../testing/fake-catalog.ts";

const voice = "en-US-AvaMultilingualNeural";
const speechDefaults = { language: "en-US", timeZone: "UTC", voice };

/** `cards` has a language of its own. */
function catalogOf(languages: readonly string[]): SessionCatalog {
  const cards = { ...fakeAgent("cards"), speech: { language: "en-GB", candidateLanguages: [], phrases: [] } };
  const catalog = fakeCatalog({ agents: [fakeAgent("desk", { voice: { name: voice } }), cards] });
  return { ...catalog, scenario: { ...catalog.scenario, languages } };
}

beforeAll(() => loadLanguages());

describe.each(bothModes)("in %s", (mode) => {
  async function greeted(languages: readonly string[], answers: readonly string[]) {
    const rig = await startInMode(mode, { catalog: catalogOf(languages), speechDefaults, answers });
    await rig.passes(1000);
    return rig;
  }

  it("[LANG-11] goes on with the voice, the sentences and the word lists of the caller's language, and says so", async () => {
    const { says, passes, conversation, transport } = await greeted(["en-US", "de-DE"], ["Im Ofen.", "In the oven."]);
    await says("wo ist meine Bestellung");
    await passes(1500);
    expect(conversation.agent).toMatchObject({
      voice: { name: "de-DE-SeraphinaMultilingualNeural" },
      speech: { language: "de-DE", candidateLanguages: ["en-US", "de-DE"] },
    });
    expect(conversation.language.code).toBe("de");
    expect(languageIn(conversation.memory)).toBe("de-DE");
    await says("and where is my other order");
    await passes(1500);
    expect(conversation.language.code).toBe("en");
    const changes = transport.notices.flatMap((notice) =>
      notice.type === "event" && notice.payload.name === "language_changed" ? [notice.payload] : [],
    );
    expect(changes).toEqual([
      { name: "language_changed", language: "de-DE", from: "en-US" },
      { name: "language_changed", language: "en-US", from: "de-DE" },
    ]);
  });

  it("[LANG-11] stays in its language where the scenario names no others", async () => {
    const { says, passes, conversation } = await greeted([], ["In the oven."]);
    await says("wo ist meine Bestellung");
    await passes(1500);
    expect(conversation.agent.speech.language).toBe("en-US");
  });
});

it("[LANG-13] believes a recogniser that tells languages apart before the words", async () => {
  const { recogniser, passes, conversation } = await startInMode("MEDIA", {
    catalog: catalogOf(["en-US", "nl-NL", "de-DE"]),
    speechDefaults,
    answers: ["Ja."],
  });
  await passes(1000);
  recogniser.last.final("wat is mijn saldo", { language: "nl-NL", isIdentified: true });
  expect(conversation.agent.speech.language).toBe("nl-NL");
});

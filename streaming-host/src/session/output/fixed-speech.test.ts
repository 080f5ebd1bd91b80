import { loadCatalog } from "@voice/shared/catalog/load-catalog";
import { demoCatalogDirs, demoTools } from "@voice/shared/demo/demo-parts";
import { expect, it } from "vitest";
import { clausesOf } from "../../pipeline/speaking/prepare-speech.ts";
import { wordsKey } from "../../pipeline/speaking/speech-key.ts";
import { fixedSpeech } from "./fixed-speech.ts";
import { packOf } from "@voice/shared/languages/packs";
import { everyPhrase } from "./fixed-phrases.ts";

const defaults = { language: "en-US", timeZone: "UTC", voice: "en-US-AvaMultilingualNeural" };

it("lists what each agent says to every caller, in its own voice, and nothing with a caller's name", async () => {
  const catalog = await loadCatalog(demoCatalogDirs, { tools: demoTools, mcpServers: [] });
  const kept = fixedSpeech(catalog, defaults, "This call is recorded.");
  const agent = [...catalog.agents.values()].find(({ greeting }) => greeting !== undefined && !greeting.includes("{"));
  if (agent?.greeting === undefined) throw new Error("no agent has a greeting without a template");
  const how = { voice: agent.voice, language: agent.speech.language ?? "en-US" };
  for (const text of [agent.greeting, "This call is recorded.", ...everyPhrase(packOf("en").sentences)])
    for (const clause of clausesOf(text, "en-US")) expect(kept.has(wordsKey({ ...how, text: clause }))).toBe(true);
  expect(kept.has(wordsKey({ ...how, text: "Hello Pat." }))).toBe(false);
});

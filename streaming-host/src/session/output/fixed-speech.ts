/** The text that agents speak identically to everybody: their greetings and the service's own phrases. */
import type { Agent } from "@voice/shared/catalog/agent";
import type { Catalog } from "@voice/shared/catalog/catalog";
import { catalogInLanguage } from "@voice/shared/catalog/catalog-in-language";
import type { SpeechDefaults } from "@voice/shared/catalog/catalog-in-language";
import { compileSessionCatalog } from "@voice/shared/catalog/compile-session-catalog";
import type { SessionCatalog } from "@voice/shared/catalog/session-catalog";
import { packOf } from "@voice/shared/languages/packs";
import { clausesOf } from "../../pipeline/speaking/prepare-speech.ts";
import { wordsKey } from "../../pipeline/speaking/speech-key.ts";
import { everyPhrase } from "./fixed-phrases.ts";

/**
 * Keyed by `wordsKey`. Greetings that depend on the caller are not included, because no caller is known in advance. `defaults`: the voice of
 * agents that name none. `announcement`: REC-3.
 */
export function fixedSpeech(
  catalog: Catalog,
  defaults: SpeechDefaults,
  announcement: string | undefined,
): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const scenario of catalog.scenarios.keys()) {
    const compiled = catalogInLanguage(compileSessionCatalog(catalog, { scenario }), {}, defaults);
    for (const name of compiled.scenario.agents) {
      const agent = compiled.agent(name);
      if (agent === undefined) continue;
      const language = agent.speech.language ?? defaults.language;
      const how = { voice: agent.voice, language };
      const common = [announcement ?? [], everyPhrase(packOf(language).sentences)].flat();
      for (const text of [...greetingsOf(agent, compiled), ...common])
        for (const clause of clausesOf(text, language)) keys.add(wordsKey({ ...how, text: clause }));
    }
  }
  return keys;
}

function greetingsOf(agent: Agent, catalog: SessionCatalog): string[] {
  return [false, true].flatMap((isReturn) => catalog.renderGreeting(agent, { memory: {}, isReturn }) ?? []);
}

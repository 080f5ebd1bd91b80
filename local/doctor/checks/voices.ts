/** Each voice that TTS_VOICE or an agent names: a misspelt one is replaced by another in every call, and nobody is told. */
import type { Voice } from "@voice/provider-kit/ports/synthesiser";
import { CheckFailure, type Check } from "../check.ts";
import type { DoctorContext } from "../context.ts";
import { createLastProblem } from "../last-problem.ts";
import { sampleRateHz, speak } from "../speak-and-hear.ts";

const word = "Hello.";

/** Only the cloud's own: other servers are given these names too, and speak with the most similar voice that they have. */
export function voiceChecks({ parts: { synthesis }, settings, catalog, identity, clock }: DoctorContext): Check[] {
  if (synthesis.kind !== "azure") return [];
  const named = [...catalog.agents.values()].flatMap(({ voice }) => (voice.name === settings.ttsVoice ? [] : [voice]));
  const voices = new Map<string, Voice>(named.map((voice) => [voice.name, voice]));
  return [{ name: settings.ttsVoice }, ...voices.values()].map((voice) => ({
    name: `voice ${voice.name}`,
    advice: adviceFor(voice.name),
    async run(signal) {
      const { logger, said } = createLastProblem();
      const oneEach = { ...settings, maxTtsPoolSize: 1, retryMaxAttempts: 0 };
      const { samples } = await speak(
        { settings: oneEach, tokens: identity.tokenFor, clock, logger },
        { text: word, voice },
        signal,
      );
      // Adapters log that another voice speaks, and say it.
      const refused = said();
      if (refused !== undefined) throw new CheckFailure(refused, adviceFor(voice.name));
      return `spoke for ${(samples.length / sampleRateHz).toFixed(1)} s`;
    },
  }));
}

function adviceFor(name: string): string {
  return `is ${name} spelled right, and does this region have it? TTS_VOICE or an agent.yaml names it, under voice`;
}

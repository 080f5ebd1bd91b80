/**
 * The catalog in the language of one conversation: each agent with its language (LANG-4), a voice for it (LANG-5), and the time zone that
 * decides about "today". Conversations with the same catalog, language and time zone share one object.
 */
import { RecentlyUsed } from "../platform/recently-used.ts";
import type { Settings } from "../config/settings.ts";
import { languageIn, timeZoneIn } from "../conversation/spoken-language.ts";
import { localeOf } from "../languages/locale-of.ts";
import { voiceInLanguage } from "../languages/voice-in-language.ts";
import type { Agent } from "./agent.ts";
import type { SessionCatalog } from "./session-catalog.ts";

/** The settings that apply if neither the agent nor the conversation nor the scenario specifies a value. */
export interface SpeechDefaults {
  readonly language: string;
  readonly timeZone: string;
  /** `TTS_VOICE`. */
  readonly voice: string;
}

/** How many variants of one catalog are cached: callers come from every time zone, but most of them from a few. */
const keptOfCatalog = 50;
const made = new WeakMap<SessionCatalog, RecentlyUsed<SessionCatalog>>();

export function catalogInLanguage(
  catalog: SessionCatalog,
  memory: Readonly<Record<string, unknown>>,
  defaults: SpeechDefaults,
): SessionCatalog {
  const { scenario } = catalog;
  const { languages = [] } = scenario;
  const byDefault = languages.length === 0 || languages.includes(defaults.language) ? defaults.language : languages[0];
  const usual = languageIn(memory) ?? scenario.language ?? byDefault ?? defaults.language;
  const timeZone = timeZoneIn(memory) ?? scenario.timeZone ?? defaults.timeZone;
  const ofCatalog = made.get(catalog) ?? new RecentlyUsed<SessionCatalog>(keptOfCatalog);
  made.set(catalog, ofCatalog);
  const key = JSON.stringify([usual, timeZone, defaults.voice]);
  const known = ofCatalog.get(key);
  if (known !== undefined) return known;
  const spoken = speak(catalog, { usual, timeZone, voice: defaults.voice });
  ofCatalog.set(key, spoken, 1);
  return spoken;
}

function speak(
  catalog: SessionCatalog,
  { usual, timeZone, voice }: { readonly usual: string; readonly timeZone: string; readonly voice: string },
): SessionCatalog {
  const agents = new Map<Agent, Agent>();
  return {
    ...catalog,
    timeZone,
    agent(name) {
      const agent = catalog.agent(name);
      if (agent === undefined) return undefined;
      const spoken = agents.get(agent) ?? agentInLanguage(agent, usual, voice, catalog.scenario.languages);
      agents.set(agent, spoken);
      return spoken;
    },
  };
}

/** `usual`: the language for agents that have none of their own; `languages`: those in which they follow the caller. */
function agentInLanguage(agent: Agent, usual: string, defaultVoice: string, languages: readonly string[] = []): Agent {
  const language = localeOf(agent.speech.language ?? usual);
  const followed = agent.speech.language === undefined ? languages : [];
  const candidates = [...agent.speech.candidateLanguages, ...followed].map(localeOf);
  return {
    ...agent,
    voice: voiceInLanguage(agent.voice, language, defaultVoice),
    speech: { ...agent.speech, language, languages: followed, candidateLanguages: [...new Set(candidates)] },
  };
}

export function speechDefaultsOf({
  sttLanguage: language,
  timeZone,
  ttsVoice: voice,
}: Pick<Settings, "sttLanguage" | "timeZone" | "ttsVoice">): SpeechDefaults {
  return { language, timeZone, voice };
}

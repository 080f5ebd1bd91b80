/** LANG-5: an agent with the default voice speaks another language with that language's own voice. Pure. */
import { cloudVoiceOf, primaryLanguage } from "./packs.ts";

interface NamedVoice {
  readonly name: string;
  readonly rate?: string | undefined;
  readonly pitch?: string | undefined;
  readonly endpointId?: string | undefined;
  readonly personalModel?: string | undefined;
}

/**
 * `defaultVoice`: `TTS_VOICE`. An agent with another voice keeps it, because somebody chose that voice for its
 * languages.
 */
export function voiceInLanguage<Voice extends NamedVoice>(
  voice: Voice,
  language: string,
  defaultVoice: string,
): Voice | Pick<NamedVoice, "name" | "rate" | "pitch"> {
  const isOfSomebody = voice.endpointId !== undefined || voice.personalModel !== undefined;
  if (voice.name !== defaultVoice || isOfSomebody || speaks(voice.name, language)) return voice;
  const name = cloudVoiceOf(language);
  // A style belongs to one voice, so another voice does not get it.
  return name === undefined ? voice : { name, rate: voice.rate, pitch: voice.pitch };
}

/**
 * The name `en-US-AvaNeural` contains its language. A voice without a locale (`alloy`) speaks every language of its
 * model.
 */
function speaks(voice: string, language: string): boolean {
  const [, ofVoice] = /^([a-z]{2,3})-[A-Z]{2}-/.exec(voice) ?? [];
  return ofVoice === undefined || ofVoice === primaryLanguage(language);
}

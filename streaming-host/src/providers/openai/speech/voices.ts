/** Chooses which of a server's voices replaces an agent's voice that the server does not have. */
import { pickVoice, soundsLike } from "@voice/provider-kit/voices/sounds-like";

/** https://developers.openai.com/api/docs/guides/text-to-speech, voice options. */
const openAiVoices = new Set("alloy ash ballad coral echo fable onyx nova sage shimmer verse marin cedar".split(" "));
/** All of OpenAI's speech models have these. */
const feminine = ["coral", "shimmer", "sage"] as const;
const masculine = ["ash", "echo"] as const;

export interface VoiceChoice {
  readonly isOpenAi: boolean;
  /** OPENAI_TTS_VOICE */
  readonly instead: string | undefined;
}

/** Azure's voice names are recognised by the language that they begin with. */
const azureName = /^[a-z]{2,3}-[A-Z]{2}-/;

export function voiceNameOf(name: string, { isOpenAi, instead }: VoiceChoice): string {
  const isTheirs = isOpenAi ? openAiVoices.has(name) || name.startsWith("voice_") : !azureName.test(name);
  return isTheirs ? name : (instead ?? standInFor(name));
}

/** Other servers that speak the protocol also know these names. */
export function standInFor(name: string): string {
  const sound = soundsLike(name);
  if (sound === "feminine") return pickVoice(feminine, name);
  return sound === undefined ? "alloy" : pickVoice(masculine, name);
}

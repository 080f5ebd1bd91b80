/** Which session settings are refused: those that the service is documented to refuse, and those that a test adds. */
import type { SessionFields } from "./client-events.ts";

export type Refusal = {
  readonly code: string;
  readonly param: string;
  /**
   * Servers differ: some do not name the client's event, and OpenAI closes with 4000 `invalid_request_error.<code>` after the error
   * (livekit/agents-js, issue 1756; BerriAI/litellm, issue 13471). `close`: RFC 6455, 7.4.1, code 1007, and a sentence.
   */
  readonly manner?: "no event id" | "error and close" | "close";
};
export type RefuseSettings = (session: SessionFields, model: string) => Refusal | undefined;

/** Voice Live how-to, "Phrase list": these models take none (docs/vendors/voice-live.md). */
const hears = /realtime|phi4-mm/;

/** Models that speak themselves go on from the audio of their words; with a voice of Azure's they write, and the service reads out. */
export function hearsItself(model: string, voiceType: string | undefined): boolean {
  return (
    hears.test(model) && (voiceType === undefined || voiceType === "openai" || voiceType === "azure-realtime-native")
  );
}

export const documentedRefusals: RefuseSettings = ({ input_audio_transcription, temperature, voice }, model) => {
  // "Only valid when using the `azure-realtime` model" (`@azure/ai-voicelive`, `AzureRealtimeNativeVoice`).
  if (voice?.type === "azure-realtime-native" && model !== "azure-realtime")
    return { code: "invalid_value", param: "session.voice.type" };
  if (!hears.test(model)) return undefined;
  if (input_audio_transcription?.phrase_list !== undefined)
    return { code: "invalid_value", param: "session.input_audio_transcription.phrase_list" };
  if (temperature !== undefined && (temperature < 0.6 || temperature > 1.2))
    return { code: "invalid_value", param: "session.temperature" };
  return undefined;
};

/** Which session settings are refused: those that the service is documented to refuse, and those that a test adds. */
import type { SessionFields } from "./client-events.ts";

export type Refusal = { readonly code: string; readonly param: string };
export type RefuseSettings = (session: SessionFields, model: string) => Refusal | undefined;

const hearsItself = /realtime|phi4-mm/;

export const documentedRefusals: RefuseSettings = ({ input_audio_transcription, temperature }, model) => {
  if (!hearsItself.test(model)) return undefined;
  if (input_audio_transcription?.phrase_list !== undefined)
    return { code: "invalid_value", param: "session.input_audio_transcription.phrase_list" };
  if (temperature !== undefined && (temperature < 0.6 || temperature > 1.2))
    return { code: "invalid_value", param: "session.temperature" };
  return undefined;
};

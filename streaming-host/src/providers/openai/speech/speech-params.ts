/** The parameters of a request to `/audio/speech`. */
import { relativeChange } from "@voice/provider-kit/voices/sounds-like";
import type { SynthesisRequest } from "@voice/provider-kit/ports/synthesiser";
import type { SpeechCreateParams } from "openai/resources/audio/speech";
import type { ResponseFormat } from "./response-formats.ts";

/** The service's limits. */
const slowest = 0.25;
const fastest = 4;

/** The form in which a server is asked for a text. */
export interface SpeechManner {
  /** In the server's own notation. */
  readonly voice: string;
  readonly format: ResponseFormat;
  /** Speed and instructions, which some servers reject. */
  readonly hasExtras: boolean;
}

export function toSpeechParams(
  { text, voice, language }: SynthesisRequest,
  model: string,
  { voice: name, format, hasExtras }: SpeechManner,
) {
  const speed = Math.min(Math.max(relativeChange(voice.rate), slowest), fastest);
  return {
    model,
    input: text,
    voice: name.startsWith("voice_") ? { id: name } : name,
    response_format: format,
    ...(hasExtras && speed !== 1 && { speed }),
    // `tts-1` and other vendors' servers ignore instructions.
    ...(hasExtras && model.startsWith("gpt-") && { instructions: toInstructions(voice.style, language) }),
  } satisfies SpeechCreateParams;
}

function toInstructions(style: string | undefined, language: string): string {
  const tone = style === undefined || style === "chat" ? "conversational" : style;
  const name = new Intl.DisplayNames("en", { type: "language" }).of(language) ?? language;
  return `Speak ${name} in a ${tone} tone, as on the phone.`;
}

import type { SynthesisRequest } from "@voice/provider-kit/ports/synthesiser";

/** A key that is equal for requests that produce the same audio. */
export function speechKey({ sampleRateHz, ...spoken }: Omit<SynthesisRequest, "sessionId" | "isFixed">): string {
  return JSON.stringify([sampleRateHz, wordsKey(spoken)]);
}

/** A key that is equal for the same words in the same voice, at any sample rate. */
export function wordsKey({ text, voice, language }: Pick<SynthesisRequest, "text" | "voice" | "language">): string {
  const { name, style, rate, pitch, endpointId, personalModel } = voice;
  return JSON.stringify([name, style, rate, pitch, endpointId, personalModel, language, text]);
}

/**
 * Fillers for the wait for a realtime model (FILL-1). The model makes one response at a time and is busy with this one,
 * so the cascade's synthesiser speaks the phrases in the agent's voice.
 */
import { joinSamples } from "@voice/provider-kit/audio/join-samples";
import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import type { Agent } from "@voice/shared/catalog/agent";
import { isAbort, toVoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";

export interface FillerVoice {
  readonly synthesiser: Pick<Synthesiser, "synthesise">;
  /** The language of agents that name none. */
  readonly defaultLanguage: string;
  readonly sampleRateHz: number;
  readonly logger: Logger;
}

/** Undefined if synthesis failed or the phrase is no longer needed; then there is simply no filler. */
export async function makeFiller(
  text: string,
  { voice, speech }: Agent,
  { synthesiser, defaultLanguage, sampleRateHz, logger }: FillerVoice,
  signal: AbortSignal,
): Promise<Int16Array | undefined> {
  const chunks: Int16Array[] = [];
  try {
    await synthesiser.synthesise(
      { text, voice, language: speech.language ?? defaultLanguage, sampleRateHz, isFixed: true },
      { onAudio: (samples) => void chunks.push(samples), onWord: () => undefined },
      signal,
    );
  } catch (error) {
    if (!signal.aborted && !isAbort(error))
      logger.warn({ error, code: toVoiceError(error).code }, "a filler could not be spoken");
    return undefined;
  }
  return joinSamples(chunks);
}

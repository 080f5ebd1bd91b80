/** Speech without a cloud, apart from everything else: a package for hosts whose speech is in the cloud goes without. */
import { availableParallelism } from "node:os";
import { createLocalRecogniser } from "@voice/local-voice/recogniser/local-recogniser";
import { createSentenceEncoder, type SentenceEncoder } from "@voice/local-voice/meaning/sentence-encoder";
import { createLocalSynthesiser } from "@voice/local-voice/synthesiser/local-synthesiser";
import { synthesisThreads } from "@voice/local-voice/synthesiser/synthesis-threads";
import type { Recogniser } from "@voice/provider-kit/ports/recogniser";
import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import { partsOf } from "@voice/shared/config/parts";
import type { Settings } from "@voice/shared/config/settings";
import type { Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";

export interface LocalSpeechParts {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly logger: Logger;
}

export function composeLocalRecogniser({ settings, clock, logger }: LocalSpeechParts): Promise<Recogniser> {
  const openVocabulary = settings.localOpenVocabulary
    ? { opensUp: partsOf(settings).languageModel.kind !== "local" }
    : undefined;
  const warmDecoders = settings.maxSttPoolSize;
  return createLocalRecogniser({
    warmDecoders,
    confirmsSpeech: settings.vadModelEnabled,
    suppressesNoise: settings.localNoiseSuppression,
    openVocabulary,
    clock,
    logger,
  });
}

/** Undefined where a setting turns it off, or this machine cannot run it. */
export async function composeSentenceEncoder(parts: LocalSpeechParts): Promise<SentenceEncoder | undefined> {
  return parts.settings.localSentenceMeaning ? await createSentenceEncoder(parts) : undefined;
}

export function composeLocalSynthesiser({ settings, clock, logger }: LocalSpeechParts): Promise<Synthesiser> {
  const workers = synthesisThreads(settings.maxTtsPoolSize, availableParallelism());
  const { voiceModelDir } = settings;
  return createLocalSynthesiser({ workers, voiceModelDir, clock, logger });
}

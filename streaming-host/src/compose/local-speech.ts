/** Speech without a cloud, apart from everything else: a package for hosts whose speech is in the cloud goes without. */
import { availableParallelism } from "node:os";
import { createLocalRecogniser } from "@voice/local-voice/recogniser/local-recogniser";
import { createLocalSynthesiser } from "@voice/local-voice/synthesiser/local-synthesiser";
import { synthesisThreads } from "@voice/local-voice/synthesiser/synthesis-threads";
import type { Recogniser } from "@voice/provider-kit/ports/recogniser";
import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import { partsOf } from "@voice/shared/config/parts";
import type { Host } from "../host/host.ts";

export function composeLocalRecogniser({
  settings,
  clock,
  logger,
}: Pick<Host, "settings" | "clock" | "logger">): Promise<Recogniser> {
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

export function composeLocalSynthesiser({
  settings,
  clock,
  logger,
}: Pick<Host, "settings" | "clock" | "logger">): Promise<Synthesiser> {
  const workers = synthesisThreads(settings.maxTtsPoolSize, availableParallelism());
  const { voiceModelDir } = settings;
  return createLocalSynthesiser({ workers, voiceModelDir, clock, logger });
}

/** Builds speech by OpenAI, or by a server that speaks its protocol, from the settings. */
import type { CreateVoiceActivityDetector } from "@voice/provider-kit/ports/voice-activity";
import type { Recogniser } from "@voice/provider-kit/ports/recogniser";
import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import { keyOf } from "@voice/shared/config/openai-servers";
import type { ServedModel } from "@voice/shared/config/openai-servers";
import type { Settings } from "@voice/shared/config/settings";
import type { Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import { toCredential } from "../endpoint.ts";
import { createOpenAiRecogniser } from "./recogniser.ts";
import { createOpenAiSynthesiser } from "./synthesiser.ts";

export interface OpenAiSpeechParts {
  readonly clock: Clock;
  readonly logger: Logger;
}

export function createOpenAiRecogniserFromSettings(
  { baseUrl: endpoint, model }: ServedModel,
  settings: Settings,
  { createDetector, clock, logger }: OpenAiSpeechParts & { readonly createDetector: CreateVoiceActivityDetector },
): Recogniser {
  return createOpenAiRecogniser({
    endpoint,
    model,
    credential: toCredential(keyOf(settings, "recognition")),
    createDetector,
    // The session supervises its stream and reopens it; retrying here as well would multiply the attempts.
    retry: { maxAttempts: 0, backoffFactor: settings.retryBackoffFactor, jitter: settings.retryJitter },
    requestTimeoutMs: settings.speechRequestTimeoutMs,
    clock,
    logger,
  });
}

export function createOpenAiSynthesiserFromSettings(
  { baseUrl: endpoint, model }: ServedModel,
  settings: Settings,
  { clock, logger }: OpenAiSpeechParts,
): Synthesiser {
  const { retryMaxAttempts: maxAttempts, retryBackoffFactor: backoffFactor, retryJitter: jitter } = settings;
  return createOpenAiSynthesiser({
    endpoint,
    model,
    credential: toCredential(keyOf(settings, "synthesis")),
    voiceInstead: settings.openaiTtsVoice,
    retry: { maxAttempts, backoffFactor, jitter },
    requestTimeoutMs: settings.speechRequestTimeoutMs,
    clock,
    logger,
  });
}

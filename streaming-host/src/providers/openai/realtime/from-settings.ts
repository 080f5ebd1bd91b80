/** Builds OpenAI's realtime model from the settings. */
import { keyOf } from "@voice/shared/config/openai-servers";
import type { ServedModel } from "@voice/shared/config/openai-servers";
import type { Settings } from "@voice/shared/config/settings";
import type { RealtimeClient } from "@voice/provider-kit/realtime-protocol/realtime-client";
import type { OpenAiSpeechParts } from "../speech/from-settings.ts";
import { createOpenAiRealtimeModel } from "./realtime-model.ts";

export function createOpenAiRealtimeFromSettings(
  { baseUrl, model }: ServedModel,
  settings: Settings,
  { clock, logger }: OpenAiSpeechParts,
): RealtimeClient {
  const { retryMaxAttempts: maxAttempts, retryBackoffFactor: backoffFactor, retryJitter: jitter } = settings;
  return createOpenAiRealtimeModel({
    baseUrl,
    model,
    key: keyOf(settings, "realtime"),
    retry: { maxAttempts, backoffFactor, jitter },
    openTimeoutMs: settings.voiceLiveOpenTimeoutMs,
    clock,
    logger,
  });
}

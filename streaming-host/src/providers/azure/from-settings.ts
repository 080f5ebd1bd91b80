/** Azure Speech as the settings describe it. */
import type { Settings } from "@voice/shared/config/settings";
import type { TokenSource } from "@voice/shared/platform/access-token";
import type { Clock } from "@voice/shared/platform/clock";
import { VoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import type { Recogniser } from "../ports/recogniser.ts";
import type { Synthesiser } from "../ports/synthesiser.ts";
import { createAzureRecogniser } from "./recogniser.ts";
import { speechTokenScope } from "./speech-endpoint.ts";
import type { SpeechCredential, SpeechEndpoint } from "./speech-endpoint.ts";
import { createAzureSynthesiser } from "./synthesiser.ts";

export type AzureSpeech = { readonly recogniser: Recogniser; readonly synthesiser: Synthesiser };

export type AzureSpeechParts = { readonly tokens: TokenSource; readonly clock: Clock; readonly logger: Logger };

/** What sessions listen at, whatever their transport brings, and what a phone plays. */
const usualRateHz = 16_000;

export function isAzureSpeechConfigured({ speechRegion, speechEndpoint }: Settings): boolean {
  return speechRegion !== undefined || speechEndpoint !== undefined;
}

export function createAzureSpeech(settings: Settings, { tokens, clock, logger }: AzureSpeechParts): AzureSpeech {
  const endpoint = { location: toLocation(settings), credential: toCredential(settings, tokens) };
  const { retryMaxAttempts: maxAttempts, retryBackoffFactor: backoffFactor, retryJitter: jitter } = settings;
  const retry = { maxAttempts, backoffFactor, jitter };
  return {
    recogniser: createAzureRecogniser({
      endpoint,
      warm: {
        size: settings.maxSttPoolSize,
        profile: {
          sampleRateHz: usualRateHz,
          language: settings.sttLanguage,
          candidateLanguages: [],
          segmentationSilenceMs: settings.vadSilenceTimeoutMs,
        },
      },
      // The session supervises its stream and opens it again; repeating here as well would multiply the attempts.
      retry: { ...retry, maxAttempts: 0 },
      clock,
      logger,
    }),
    synthesiser: createAzureSynthesiser({
      endpoint,
      warm: { size: settings.maxTtsPoolSize, sampleRateHz: usualRateHz },
      fallbackVoiceName: settings.ttsVoice,
      retry,
      requestTimeoutMs: settings.speechRequestTimeoutMs,
      clock,
      logger,
    }),
  };
}

function toLocation({ speechEndpoint, speechRegion }: Settings): SpeechEndpoint["location"] {
  if (speechEndpoint !== undefined) return { kind: "host", url: speechEndpoint };
  if (speechRegion !== undefined) return { kind: "region", region: speechRegion };
  throw new VoiceError("internal_error", "the speech service is not configured");
}

function toCredential(
  { speechKey, speechEndpoint, speechResourceId }: Settings,
  tokens: TokenSource,
): SpeechCredential {
  if (speechKey !== undefined) return { kind: "key", key: speechKey };
  // A resource's own domain says which resource is meant; a region does not.
  const resourceId = speechEndpoint === undefined ? speechResourceId : undefined;
  return { kind: "token", token: tokens(speechTokenScope), resourceId };
}

/** Builds Azure Speech from the settings. */
import { identitiesOf } from "@voice/shared/config/cloud-environment";
import type { SpeechLocation } from "@voice/shared/config/parts";
import { localeOf } from "@voice/shared/languages/locale-of";
import { retryOf } from "@voice/shared/config/retry-of";
import type { Settings } from "@voice/shared/config/settings";
import type { TokenSource } from "@voice/shared/platform/access-token";
import type { Recogniser } from "@voice/provider-kit/ports/recogniser";
import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import type { VendorContext } from "../vendor-context.ts";
import { createAzureRecogniser } from "./recogniser.ts";
import type { SpeechCredential } from "./speech-endpoint.ts";
import { createAzureSynthesiser } from "./synthesiser.ts";

/** The rate at which sessions process audio, whatever their transport delivers, and at which phones play. */
const defaultRateHz = 16_000;

export function createAzureRecogniserFromSettings(
  location: SpeechLocation,
  settings: Settings,
  { tokens, clock, logger }: VendorContext,
): Recogniser {
  return createAzureRecogniser({
    endpoint: { location, credential: toCredential(location, settings, tokens) },
    warm: {
      size: settings.maxSttPoolSize,
      profile: {
        sampleRateHz: defaultRateHz,
        language: localeOf(settings.sttLanguage),
        candidateLanguages: [],
        segmentationSilenceMs: settings.vadSilenceTimeoutMs,
      },
    },
    model: { endpointId: settings.sttModelId, segmentation: settings.sttSegmentation },
    // The session supervises its stream and reopens it; retrying here as well would multiply the attempts.
    retry: { ...retryOf(settings), maxAttempts: 0 },
    clock,
    logger,
  });
}

export function createAzureSynthesiserFromSettings(
  location: SpeechLocation,
  settings: Settings,
  { tokens, clock, logger }: VendorContext,
): Synthesiser {
  return createAzureSynthesiser({
    endpoint: { location, credential: toCredential(location, settings, tokens) },
    warm: { size: settings.maxTtsPoolSize, sampleRateHz: defaultRateHz },
    fallbackVoiceName: settings.ttsVoice,
    retry: retryOf(settings),
    requestTimeoutMs: settings.speechRequestTimeoutMs,
    clock,
    logger,
  });
}

function toCredential(
  location: SpeechLocation,
  { speechKey, speechResourceId, cloudEnvironment }: Settings,
  tokens: TokenSource,
): SpeechCredential {
  if (speechKey !== undefined) return { kind: "key", key: speechKey };
  // A resource's own domain identifies the resource; a region does not.
  const resourceId = location.kind === "region" ? speechResourceId : undefined;
  return { kind: "token", token: tokens(identitiesOf(cloudEnvironment).cognitiveScope), resourceId };
}

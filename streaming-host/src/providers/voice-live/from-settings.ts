/** Builds Voice Live's realtime model from the settings. */
import { identitiesOf } from "@voice/shared/config/cloud-environment";
import type { Parts } from "@voice/shared/config/parts";
import type { Settings } from "@voice/shared/config/settings";
import type { TokenSource } from "@voice/shared/platform/access-token";
import type { Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import { createVoiceLiveModel } from "./realtime-model.ts";
import type { VoiceLiveModel } from "./realtime-model.ts";

export type VoiceLiveParts = { readonly tokens: TokenSource; readonly clock: Clock; readonly logger: Logger };

type VoiceLivePart = Extract<Parts["realtimeModel"], { readonly kind: "voice-live" }>;

export function createVoiceLiveFromSettings(
  { endpoint: url, model }: VoiceLivePart,
  settings: Settings,
  { tokens, clock, logger }: VoiceLiveParts,
): VoiceLiveModel {
  const { voiceLiveKey: key } = settings;
  return createVoiceLiveModel({
    endpoint: {
      url,
      model,
      credential:
        key === undefined
          ? { kind: "token", token: tokens(identitiesOf(settings.cloudEnvironment).realtimeScope) }
          : { kind: "key", key },
    },
    transcriptionModel: settings.voiceLiveTranscriptionModel,
    retry: {
      maxAttempts: settings.retryMaxAttempts,
      backoffFactor: settings.retryBackoffFactor,
      jitter: settings.retryJitter,
    },
    openTimeoutMs: settings.voiceLiveOpenTimeoutMs,
    clock,
    logger,
  });
}

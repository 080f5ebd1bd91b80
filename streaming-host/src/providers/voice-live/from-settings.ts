/** The realtime model as the settings describe it; nothing where they name none. */
import type { Settings } from "@voice/shared/config/settings";
import type { TokenSource } from "@voice/shared/platform/access-token";
import type { Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import { voiceLiveTokenScope } from "./endpoint.ts";
import { createVoiceLiveModel } from "./realtime-model.ts";
import type { VoiceLiveModel } from "./realtime-model.ts";

export type VoiceLiveParts = { readonly tokens: TokenSource; readonly clock: Clock; readonly logger: Logger };

export function createVoiceLiveFromSettings(
  settings: Settings,
  { tokens, clock, logger }: VoiceLiveParts,
): VoiceLiveModel | undefined {
  const { voiceLiveEndpoint: url, voiceLiveModel: model, voiceLiveKey: key } = settings;
  if (url === undefined || model === undefined) return undefined;
  return createVoiceLiveModel({
    endpoint: {
      url,
      model,
      credential: key === undefined ? { kind: "token", token: tokens(voiceLiveTokenScope) } : { kind: "key", key },
    },
    retry: {
      maxAttempts: settings.retryMaxAttempts,
      backoffFactor: settings.retryBackoffFactor,
      jitter: settings.retryJitter,
    },
    clock,
    logger,
  });
}

/** Builds Voice Live's realtime model from the settings. */
import { identitiesOf } from "@voice/shared/config/cloud-environment";
import type { Parts } from "@voice/shared/config/parts";
import { retryOf } from "@voice/shared/config/retry-of";
import type { Settings } from "@voice/shared/config/settings";
import type { VendorContext } from "../vendor-context.ts";
import { createVoiceLiveModel } from "./realtime-model.ts";
import type { VoiceLiveModel } from "./realtime-model.ts";

type VoiceLivePart = Extract<Parts["realtimeModel"], { readonly kind: "voice-live" }>;

export function createVoiceLiveFromSettings(
  { endpoint: url, model }: VoiceLivePart,
  settings: Settings,
  { tokens, clock, logger }: VendorContext,
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
    retry: retryOf(settings),
    openTimeoutMs: settings.voiceLiveOpenTimeoutMs,
    clock,
    logger,
  });
}

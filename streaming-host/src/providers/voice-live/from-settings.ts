/** Builds Voice Live's realtime model from the settings. */
import { identitiesOf } from "@voice/shared/config/cloud-environment";
import type { Parts } from "@voice/shared/config/parts";
import { retryOf } from "@voice/shared/config/retry-of";
import type { Settings } from "@voice/shared/config/settings";
import type { RealtimeClient } from "@voice/provider-kit/realtime-protocol/realtime-client";
import { credentialOf } from "../credential.ts";
import type { VendorContext } from "../vendor-context.ts";
import { createVoiceLiveModel } from "./realtime-model.ts";

type VoiceLivePart = Extract<Parts["realtimeModel"], { readonly kind: "voice-live" }>;

export function createVoiceLiveFromSettings(
  { endpoint: url, model }: VoiceLivePart,
  settings: Settings,
  { tokens, clock, logger }: VendorContext,
): RealtimeClient {
  const { voiceLiveKey: key } = settings;
  return createVoiceLiveModel({
    endpoint: {
      url,
      model,
      credential: credentialOf(key, tokens(identitiesOf(settings.cloudEnvironment).realtimeScope)),
    },
    transcriptionModel: settings.voiceLiveTranscriptionModel,
    retry: retryOf(settings),
    openTimeoutMs: settings.voiceLiveOpenTimeoutMs,
    clock,
    logger,
  });
}

/** Builds OpenAI's realtime model from the settings. */
import { identitiesOf } from "@voice/shared/config/cloud-environment";
import { keyOf } from "@voice/shared/config/openai-servers";
import type { Parts } from "@voice/shared/config/parts";
import { retryOf } from "@voice/shared/config/retry-of";
import type { Settings } from "@voice/shared/config/settings";
import type { RealtimeClient } from "@voice/provider-kit/realtime-protocol/realtime-client";
import type { TokenSource } from "@voice/shared/platform/access-token";
import { credentialOf } from "../../credential.ts";
import type { VendorContext } from "../../vendor-context.ts";
import { isAzureEndpoint, toBaseUrl } from "../endpoint.ts";
import { createOpenAiRealtimeModel } from "./realtime-model.ts";
import type { RealtimeCredential } from "./realtime-model.ts";

type OpenAiRealtimePart = Extract<Parts["realtimeModel"], { readonly kind: "openai" }>;

export function createOpenAiRealtimeFromSettings(
  { baseUrl, model, transcriptionModel }: OpenAiRealtimePart,
  settings: Settings,
  { tokens, clock, logger }: VendorContext,
): RealtimeClient {
  return createOpenAiRealtimeModel({
    baseUrl: toBaseUrl(baseUrl),
    model,
    credential: toRealtimeCredential(baseUrl, settings, tokens),
    transcriptionModel,
    retry: retryOf(settings),
    openTimeoutMs: settings.voiceLiveOpenTimeoutMs,
    clock,
    logger,
  });
}

/** A self-hosted server may need no key. Azure OpenAI accepts a key or a token, so without a key a token is used. */
function toRealtimeCredential(baseUrl: string, settings: Settings, tokens: TokenSource): RealtimeCredential {
  const key = keyOf(settings, "realtime");
  if (key === undefined && !isAzureEndpoint(baseUrl)) return { kind: "none" };
  return credentialOf(key, tokens(identitiesOf(settings.cloudEnvironment).cognitiveScope));
}

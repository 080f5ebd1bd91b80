/** The language model as the settings describe it; nothing where they name none. */
import type { Settings } from "@voice/shared/config/settings";
import type { TokenSource } from "@voice/shared/platform/access-token";
import type { Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import { modelTokenScope } from "./endpoint.ts";
import { createOpenAiLanguageModel } from "./language-model.ts";
import type { OpenAiLanguageModel } from "./language-model.ts";

export type OpenAiParts = { readonly tokens: TokenSource; readonly clock: Clock; readonly logger: Logger };

export function createOpenAiFromSettings(
  settings: Settings,
  { tokens, clock, logger }: OpenAiParts,
): OpenAiLanguageModel | undefined {
  const { openaiEndpoint, openaiDeployment, openaiKey } = settings;
  if (openaiEndpoint === undefined) return undefined;
  return createOpenAiLanguageModel({
    endpoint: openaiEndpoint,
    credential:
      openaiKey === undefined ? { kind: "token", token: tokens(modelTokenScope) } : { kind: "key", key: openaiKey },
    // An agent may name a deployment of its own; the service's own one answers when that fails.
    fallbackDeploymentId: openaiDeployment,
    retry: {
      maxAttempts: settings.retryMaxAttempts,
      backoffFactor: settings.retryBackoffFactor,
      jitter: settings.retryJitter,
    },
    clock,
    logger,
  });
}

/** Builds the language model from the settings. */
import { keyOf } from "@voice/shared/config/openai-servers";
import { identitiesOf } from "@voice/shared/config/cloud-environment";
import type { Parts } from "@voice/shared/config/parts";
import { retryOf } from "@voice/shared/config/retry-of";
import type { Settings } from "@voice/shared/config/settings";
import type { TokenSource } from "@voice/shared/platform/access-token";
import { credentialOf } from "../credential.ts";
import type { VendorContext } from "../vendor-context.ts";
import type { ModelAddress } from "./client.ts";
import { isFirstParty, toCredential } from "./endpoint.ts";
import { createOpenAiLanguageModel } from "./language-model.ts";
import type { OpenAiLanguageModel, OpenAiLanguageModelOptions } from "./language-model.ts";

type OpenAiPart = Extract<Parts["languageModel"], { readonly kind: "openai" }>;

export function createOpenAiFromSettings(
  { endpoint, deployment, named }: OpenAiPart,
  settings: Settings,
  { tokens, clock, logger }: VendorContext,
  onRepaired?: (repair: string) => void,
): OpenAiLanguageModel {
  const first = modelAddress({ endpoint, named }, settings, tokens);
  return createOpenAiLanguageModel({
    ...first,
    // An agent may name a deployment of its own; the service's deployment is used if that fails.
    fallbackDeploymentId: deployment,
    second: secondOf(settings, { ...first, deployment }, tokens),
    retry: retryOf(settings),
    firstEventTimeoutMs: settings.openaiFirstTokenTimeoutMs,
    stallTimeoutMs: settings.openaiStallTimeoutMs,
    reasoning: {
      effort: settings.openaiReasoningEffort,
      // Open models reason by default, and callers hear silence meanwhile. Servers that do not know this value reject it once.
      otherwise: named === "openai" && !isFirstParty(endpoint) ? "none" : undefined,
      verbosity: settings.openaiVerbosity,
      tokens: settings.openaiReasoningTokens,
    },
    contextTokens: settings.openaiContextTokens,
    onRepaired,
    clock,
    logger,
  });
}

/** The address of the language model, and our credentials for it. */
export function modelAddress(
  { endpoint, named }: Pick<OpenAiPart, "endpoint" | "named">,
  settings: Settings,
  tokens: TokenSource,
): ModelAddress {
  if (named === "openai") return { endpoint, credential: toCredential(keyOf(settings, "chat")) };
  const { openaiKey, openaiKeyHeader: keyHeader, openaiHeaders: headers, cloudEnvironment } = settings;
  const token = tokens(identitiesOf(cloudEnvironment).cognitiveScope);
  return { endpoint, credential: credentialOf(openaiKey, token), keyHeader, headers };
}

/** Another endpoint with a credential of its own, or another deployment of the first one. */
function secondOf(
  settings: Settings,
  { deployment, ...first }: ModelAddress & Pick<OpenAiPart, "deployment">,
  tokens: TokenSource,
): OpenAiLanguageModelOptions["second"] {
  const { openaiFallbackEndpoint: endpoint, openaiFallbackDeployment } = settings;
  const deploymentId = openaiFallbackDeployment ?? deployment;
  if (deploymentId === undefined || (endpoint === undefined && openaiFallbackDeployment === undefined))
    return undefined;
  if (endpoint === undefined) return { ...first, deploymentId };
  const token = tokens(identitiesOf(settings.cloudEnvironment).cognitiveScope);
  return { endpoint, credential: credentialOf(settings.openaiFallbackKey, token), deploymentId };
}

/** Without keys, each service requires a token: first our identity, then our permissions. */
import { isAzureEndpoint } from "@voice/streaming-host/providers/openai/endpoint";
import { keyOf } from "@voice/shared/config/openai-servers";
import { identitiesOf } from "@voice/shared/config/cloud-environment";
import { decodeJwt } from "jose";
import { CheckFailure, type Check } from "../check.ts";
import type { DoctorContext } from "../context.ts";

export function identityChecks({ parts, settings, identity }: DoctorContext): Check[] {
  const { cacheUsername, cachePassword, openaiKey, speechKey, voiceLiveKey, cloudClientSecret } = settings;
  const cacheUser = parts.state.kind === "redis" && cachePassword === undefined ? cacheUsername : undefined;
  const { cacheScope, cognitiveScope, realtimeScope } = identitiesOf(settings.cloudEnvironment);
  const { languageModel, recognition, synthesis } = parts;
  const needsModelToken = languageModel.kind === "openai" && languageModel.named === "cloud" && openaiKey === undefined;
  const needsSpeechToken = [recognition, synthesis].some(({ kind }) => kind === "azure") && speechKey === undefined;
  const needsRealtimeToken =
    parts.realtimeModel.kind === "openai" &&
    isAzureEndpoint(parts.realtimeModel.baseUrl) &&
    keyOf(settings, "realtime") === undefined;
  const scopes = [
    ...(cacheUser === undefined ? [] : [cacheScope]),
    ...(needsModelToken ? [cognitiveScope] : []),
    ...(needsSpeechToken || needsRealtimeToken ? [cognitiveScope] : []),
    ...(parts.realtimeModel.kind === "voice-live" && voiceLiveKey === undefined ? [realtimeScope] : []),
  ];
  const advice =
    cloudClientSecret === undefined
      ? "sign in with `az login`, or give the machine a managed identity (CLOUD_CLIENT_ID names a user-assigned one)"
      : "compare CLOUD_TENANT_ID, CLOUD_CLIENT_ID and CLOUD_CLIENT_SECRET with the app registration";
  return [...new Set(scopes)].map((scope) => ({
    name: `token for ${URL.canParse(scope) ? new URL(scope).host : "the cache"}`,
    advice,
    async run() {
      const { token } = await identity.getToken(scope);
      const objectId = objectIdOf(token);
      if (scope === cacheScope && objectId !== undefined && objectId !== cacheUser)
        throw new CheckFailure(
          "CACHE_USERNAME is another identity's",
          `CACHE_USERNAME must be ${objectId}, the object id of who we are`,
        );
      return objectId === undefined ? "granted" : `granted to the identity ${objectId}`;
    },
  }));
}

function objectIdOf(token: string): string | undefined {
  try {
    const { oid } = decodeJwt(token);
    return typeof oid === "string" ? oid : undefined;
  } catch {
    // Entra promises nothing about what its tokens look like.
    return undefined;
  }
}

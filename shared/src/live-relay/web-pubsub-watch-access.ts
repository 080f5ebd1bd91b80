/** Tokens for watchers, from Azure Web PubSub. With a connection string they are made without asking the service. */
import { WebPubSubServiceClient, type WebPubSubServiceClientOptions } from "@azure/web-pubsub";
import { VoiceError } from "../platform/errors.ts";
import { liveRelayHub } from "./live-relay-groups.ts";
import type { WatchAccess, WatchAccessTo } from "./watch-access.ts";

/** A page connects as soon as it has the address. */
const lifeSpanMinutes = 5;

/** With an identity, the token is requested from the service while a user waits for the page. */
const grantTimeoutMs = 5000;

/** Settings allow plain http for loopback addresses only, so the SDK need not forbid it again. */
const options: WebPubSubServiceClientOptions = { allowInsecureConnection: true, retryOptions: { maxRetries: 1 } };

export function createWebPubSubWatchAccess(access: WatchAccessTo, wallNow: () => number): WatchAccess {
  const client =
    "connectionString" in access
      ? new WebPubSubServiceClient(access.connectionString, liveRelayHub, options)
      : new WebPubSubServiceClient(access.endpoint, access.credential, liveRelayHub, options);
  return {
    async grant(group, subject) {
      const expiresAtMs = wallNow() + lifeSpanMinutes * 60_000;
      try {
        const { url } = await client.getClientAccessToken({
          userId: subject,
          // The client joins this group when it connects; without roles it can neither join other groups nor send to
          // any.
          groups: [group],
          roles: [],
          expirationTimeInMinutes: lifeSpanMinutes,
          abortSignal: AbortSignal.timeout(grantTimeoutMs),
        });
        return { url, expiresAtMs };
      } catch (error) {
        throw new VoiceError("upstream_unavailable", "Web PubSub gave no token", { cause: error });
      }
    },
  };
}

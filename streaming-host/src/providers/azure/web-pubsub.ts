/**
 * Sends live updates to Azure Web PubSub: each goes to the groups of those who watch its session, and of those who watch
 * everything.
 */
import { RestError } from "@azure/core-rest-pipeline";
import { WebPubSubServiceClient } from "@azure/web-pubsub";
import type { WebPubSubServiceClientOptions } from "@azure/web-pubsub";
import { groupsOf, liveRelayHub } from "@voice/shared/live-relay/live-relay-groups";
import { VoiceError } from "@voice/shared/platform/errors";
import { z } from "zod";
import type { LiveRelay } from "@voice/provider-kit/ports/live-relay";

export interface WebPubSubCredential {
  getToken(scopes: string | string[]): Promise<{ readonly token: string; readonly expiresOnTimestamp: number }>;
}

export type WebPubSubAccess =
  | { readonly connectionString: string }
  | { readonly endpoint: string; readonly credential: WebPubSubCredential };

/** Short, because an outdated update is useless to a watcher. */
const sendTimeoutMs = 3000;

/** The settings allow plain http only for loopback addresses, so the SDK need not forbid it again. */
const options: WebPubSubServiceClientOptions = { allowInsecureConnection: true, retryOptions: { maxRetries: 0 } };

const message = z.record(z.string(), z.unknown());

export function createWebPubSubRelay(access: WebPubSubAccess): LiveRelay {
  const client =
    "connectionString" in access
      ? new WebPubSubServiceClient(access.connectionString, liveRelayHub, options)
      : new WebPubSubServiceClient(access.endpoint, access.credential, liveRelayHub, options);

  return {
    async send(update) {
      const content = message.parse(JSON.parse(update.text));
      const abortSignal = AbortSignal.timeout(sendTimeoutMs);
      try {
        await Promise.all(groupsOf(update).map((group) => client.group(group).sendToAll(content, { abortSignal })));
      } catch (error) {
        const reason = reasonOf(error);
        throw new VoiceError("upstream_unavailable", "Web PubSub did not take an update", { cause: error, reason });
      }
    },
  };
}

function reasonOf(error: unknown): string {
  const status = error instanceof RestError ? error.statusCode : undefined;
  return status === undefined ? "Web PubSub did not answer" : `Web PubSub answered ${status}`;
}

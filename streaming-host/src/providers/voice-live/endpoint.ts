/** The address of the Voice Live service and our credentials for it. */
import type { ClientOptions } from "ws";

export type VoiceLiveCredential =
  | { readonly kind: "key"; readonly key: string }
  | { readonly kind: "token"; readonly token: () => Promise<string> };

export type VoiceLiveEndpoint = {
  /** The resource: `https://name.services.ai.azure.com`. */
  readonly url: string;
  readonly model: string;
  readonly credential: VoiceLiveCredential;
};

/** The newest version that Microsoft's live tests run against (azure-sdk-for-python, sdk/voicelive/azure-ai-voicelive/tests/live). */
const apiVersion = "2026-07-15";

export function toSocketUrl({ url, model }: VoiceLiveEndpoint): URL {
  const socketUrl = new URL("/voice-live/realtime", url.replace(/^http/, "ws"));
  socketUrl.searchParams.set("api-version", apiVersion);
  socketUrl.searchParams.set("model", model);
  return socketUrl;
}

/** Credentials are sent only in headers, because query strings end up in the logs of proxies. */
export async function toHeaders(credential: VoiceLiveCredential): Promise<NonNullable<ClientOptions["headers"]>> {
  return credential.kind === "key"
    ? { "api-key": credential.key }
    : { authorization: `Bearer ${await credential.token()}` };
}

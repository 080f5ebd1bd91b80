/**
 * The address of the model and our credentials for it. Azure's `/openai/v1/` surface is the plain OpenAI protocol, so
 * one client class serves Azure, OpenAI and every compatible server; only the base URL and two details differ.
 */

import type { Credential } from "../credential.ts";

export type ModelCredential =
  | Credential
  /** The key is sent as OpenAI expects it, in `Authorization` only. */
  | { readonly kind: "bearer"; readonly key: string }
  /** For a private server that requires no key. */
  | { readonly kind: "none" };

/** The credentials of a server that speaks OpenAI's protocol. */
export function toCredential(key: string | undefined): ModelCredential {
  return key === undefined ? { kind: "none" } : { kind: "bearer", key };
}

/** Host names in all of Azure's clouds. */
const azureHosts = [".openai.azure.", ".cognitiveservices.azure.", ".services.ai.azure."].flatMap((service) =>
  ["com", "us", "cn"].map((cloud) => `${service}${cloud}`),
);

export function isAzureEndpoint(endpoint: string): boolean {
  const { hostname } = new URL(endpoint);
  return azureHosts.some((suffix) => hostname.endsWith(suffix));
}

/** An Azure resource is usually configured by its bare host; any other URL is used as the base URL. */
export function toBaseUrl(endpoint: string): string {
  const url = new URL(endpoint);
  if (isAzureEndpoint(endpoint) && !url.pathname.startsWith("/openai/v1")) url.pathname = "/openai/v1/";
  return url.href;
}

/**
 * Headers that carry a key besides `Authorization`. Azure reads `api-key`, and so does a gateway in front of it; for
 * other gateways the header is a setting.
 */
export function keyHeaders(credential: ModelCredential, endpoint: string, keyHeader: string | undefined) {
  if (credential.kind !== "key") return {};
  const name = keyHeader ?? (new URL(endpoint).hostname === "api.openai.com" ? undefined : "api-key");
  return name === undefined ? {} : { [name]: credential.key };
}

/**
 * Azure's and OpenAI's own services. They replaced `max_tokens`, which their reasoning models refuse; compatible servers
 * know only the old name.
 */
export function isFirstParty(endpoint: string): boolean {
  return isAzureEndpoint(endpoint) || new URL(endpoint).hostname === "api.openai.com";
}

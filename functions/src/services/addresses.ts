/** Where the service is reached from outside. */
import type { Settings } from "@voice/shared/config/settings";

type AddressSettings = Pick<Settings, "baseUrl" | "streamingHostUrl">;

/** The HTTP API's public base; if it is not set, the address that this request used. No trailing slash. */
export function httpBaseUrl({ baseUrl }: AddressSettings, requestUrl: string): string {
  return (baseUrl ?? new URL(requestUrl).origin).replace(/\/+$/, "");
}

/** The streaming hosts' public base. Derived from the HTTP base where it is not set: `https` gives `wss`. */
export function streamingBaseUrl(settings: AddressSettings, requestUrl: string): string {
  const base = settings.streamingHostUrl ?? httpBaseUrl(settings, requestUrl).replace(/^http/, "ws");
  return base.replace(/\/+$/, "");
}

/** Warns operators if the service is open to everybody. */
import { isLoopback } from "../config/kinds.ts";
import type { Settings } from "../config/settings.ts";

type AccessSettings = Pick<Settings, "enableAuthValidation" | "environment" | "host" | "baseUrl" | "streamingHostUrl">;

/** The warning for the operator; undefined if callers are authenticated or only this machine can call. */
export function openAccessWarning(settings: AccessSettings): string | undefined {
  if (settings.enableAuthValidation) return undefined;
  const exposure = exposureOf(settings);
  if (exposure === undefined) return undefined;
  return `Authentication is off ${exposure}: anybody who reaches the service can place calls, and read and hear every conversation. Set ENABLE_AUTH_VALIDATION=true.`;
}

function exposureOf({ environment, host, baseUrl, streamingHostUrl }: AccessSettings): string | undefined {
  if (environment === "production") return "in production";
  if (!isLoopback(host)) return `while the service listens on ${host}`;
  const publicUrl = [baseUrl, streamingHostUrl].find((url) => url !== undefined && !isLoopback(new URL(url).hostname));
  return publicUrl === undefined ? undefined : `while the service can be reached at ${new URL(publicUrl).host}`;
}

/**
 * Detects DNS rebinding: an attacker lets a name of theirs point to this machine, so that the browser treats their page
 * and the service as one origin and lets the page read the responses. The name shows in `Host`. Only a service that
 * listens on loopback alone, without authentication, can tell by it; elsewhere any name may be legitimate.
 */
import { isLoopback } from "../config/kinds.ts";
import type { Settings } from "../config/settings.ts";
import { isAddress } from "./origin.ts";

export type HostSettings = Pick<
  Settings,
  "enableAuthValidation" | "host" | "baseUrl" | "streamingHostUrl" | "corsAllowedOrigins"
>;

/** Why the request is refused; undefined if it is acceptable or `Host` is inconclusive. */
export function foreignHostProblem(host: string | undefined, settings: HostSettings): string | undefined {
  if (settings.enableAuthValidation || !isLoopback(settings.host)) return undefined;
  const name = host === undefined ? undefined : URL.parse(`http://${host}`)?.hostname;
  if (name === undefined || isLoopback(name) || isAddress(name) || namesOf(settings).includes(name)) return undefined;
  return "The service does not know itself by this Host; BASE_URL says under which name it can be reached.";
}

function namesOf({ baseUrl, streamingHostUrl, corsAllowedOrigins }: HostSettings): string[] {
  return [baseUrl, streamingHostUrl, ...corsAllowedOrigins].flatMap((url) => URL.parse(url ?? "")?.hostname ?? []);
}

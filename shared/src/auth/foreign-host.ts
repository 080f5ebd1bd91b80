/**
 * A name that somebody else owns and lets point to this machine (DNS rebinding): the browser takes its page and the
 * service for one origin, so that the page may read what it asks for. The name stands in `Host`. Only a service that
 * listens on this machine alone, and asks nobody for a proof, can tell by it; elsewhere any name may be the right one.
 */
import { isLoopback } from "../config/kinds.ts";
import type { Settings } from "../config/settings.ts";
import { isAddress } from "./origin.ts";

export type HostSettings = Pick<
  Settings,
  "enableAuthValidation" | "host" | "baseUrl" | "streamingHostUrl" | "corsAllowedOrigins"
>;

/** Why this request is not for this service; undefined where it is, or where `Host` does not tell. */
export function foreignHostProblem(host: string | undefined, settings: HostSettings): string | undefined {
  if (settings.enableAuthValidation || !isLoopback(settings.host)) return undefined;
  const name = host === undefined ? undefined : URL.parse(`http://${host}`)?.hostname;
  if (name === undefined || isLoopback(name) || isAddress(name) || namesOf(settings).includes(name)) return undefined;
  return "The service does not know itself by this Host; BASE_URL says under which name it can be reached.";
}

function namesOf({ baseUrl, streamingHostUrl, corsAllowedOrigins }: HostSettings): string[] {
  return [baseUrl, streamingHostUrl, ...corsAllowedOrigins].flatMap((url) => URL.parse(url ?? "")?.hostname ?? []);
}

/** PLACE-2: the destinations that the settings currently allow for calls. */
import type { AllowedDestinations } from "../config/allowed-destinations.ts";
import { partsOf } from "../config/parts.ts";
import type { Settings } from "../config/settings.ts";

/** Undefined: not configured. With the telephone network of this machine, calls cost nothing and reach nobody else. */
export function destinationsNow(settings: Settings): AllowedDestinations | undefined {
  const { callAllowedDestinations: named, environment } = settings;
  if (named !== undefined) return named;
  const { calls } = partsOf(settings);
  const isLocal = calls.kind === "none" || calls.isEmulated;
  return environment === "development" && isLocal ? everywhere : undefined;
}

const everywhere: AllowedDestinations = { isAny: true, countries: new Set(), prefixes: [] };

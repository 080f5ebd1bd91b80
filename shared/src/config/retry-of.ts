/** How often, and with which pauses, the settings have requests to other services repeated. */
import type { RetrySettings } from "../platform/backoff.ts";
import type { Settings } from "./settings.ts";

export function retryOf({ retryMaxAttempts, retryBackoffFactor, retryJitter }: Settings): RetrySettings {
  return { maxAttempts: retryMaxAttempts, backoffFactor: retryBackoffFactor, jitter: retryJitter };
}

/** The retry policy of the settings for requests to other services. */
import type { RetrySettings } from "../platform/backoff.ts";
import type { Settings } from "./settings.ts";

export function retryOf({ retryMaxAttempts, retryBackoffFactor, retryJitter }: Settings): RetrySettings {
  return { maxAttempts: retryMaxAttempts, backoffFactor: retryBackoffFactor, jitter: retryJitter };
}

/**
 * The source of settings, which `/appconfig` shows and refreshes. A refresh replaces the snapshot as a whole or, if the
 * new values are invalid, not at all.
 */
import type { Settings } from "./settings.ts";

export interface ConfigurationStatus {
  /** False if the environment is the only source. */
  readonly enabled: boolean;
  readonly endpoint?: string | undefined;
  readonly label?: string | undefined;
  /** Whether the store's values are in the snapshot. */
  readonly loaded: boolean;
  /** How many of our settings the store provides. */
  readonly keyCount: number;
  readonly refreshedAtMs?: number | undefined;
  /**
   * Names of settings whose values have changed since this process started; objects that were created from them still have the old values.
   */
  readonly changedSinceStart?: readonly string[] | undefined;
  /** Why the last refresh failed; without values. */
  readonly lastError?: string | undefined;
}

export interface ConfigurationProvider {
  /**
   * The current snapshot. Long-lived parts may have been built from an earlier one; new sessions and requests read
   * this.
   */
  settings(): Settings;
  status(): ConfigurationStatus;
  /** Rejects with `upstream_unavailable` or a `ConfigurationError`, and keeps the old snapshot. */
  refresh(): Promise<void>;
}

/** For a service that is configured by its environment alone. */
export function createEnvironmentConfiguration(settings: Settings): ConfigurationProvider {
  return {
    settings: () => settings,
    status: () => ({ enabled: false, loaded: false, keyCount: 0 }),
    refresh: () => Promise.resolve(),
  };
}

/**
 * Where settings come from, as `/appconfig` shows it and forces it to look again. A refresh replaces the snapshot as a
 * whole or, when the new values do not make a service, not at all.
 */
import type { Settings } from "./settings.ts";

export interface ConfigurationStatus {
  /** False: the environment is all there is. */
  readonly enabled: boolean;
  readonly endpoint?: string | undefined;
  readonly label?: string | undefined;
  /** Whether the store's values are in the snapshot. */
  readonly loaded: boolean;
  /** How many of our settings the store provides. */
  readonly keyCount: number;
  readonly refreshedAtMs?: number | undefined;
  /** Names of settings whose values are others than when this process began; what was built from them still has the old ones. */
  readonly changedSinceStart?: readonly string[] | undefined;
  /** Why the last refresh changed nothing; without values. */
  readonly lastError?: string | undefined;
}

export interface ConfigurationProvider {
  /** The snapshot now. Long-lived parts were built from an earlier one; new sessions and requests read this. */
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
